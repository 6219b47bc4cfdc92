# The page of `tendril view` is bundled by web/build.sh, which needs node; the program holds it. Where it was not bundled
# the program is built all the same, and `view` says what is missing.
#   cmake -D FROM=web/dist/index.html -D TO=build/page.html -P page.cmake
if(EXISTS ${FROM})
  file(COPY_FILE ${FROM} ${TO} ONLY_IF_DIFFERENT)
elseif(NOT EXISTS ${TO})
  file(TOUCH ${TO})
else()
  file(SIZE ${TO} size)
  if(size GREATER 0)
    file(WRITE ${TO} "")
  endif()
endif()
