# Builds examples/ as a stranger would, and runs them. WAY: find_package (of an installed library) or add_subdirectory
# (of these sources).
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV}:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

set(folder ${BUILD}/outside/${WAY})
if(WAY STREQUAL find_package)
  file(REMOVE_RECURSE ${folder})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/installed --component library)
  set(found -D CMAKE_PREFIX_PATH=${folder}/installed)
else()
  set(found -D TENDRIL_FOLDER=${SOURCE})
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/examples -B ${folder}/build -D CMAKE_BUILD_TYPE=Release ${found})
if(WAY STREQUAL add_subdirectory)  # all of it takes minutes: the lowest layers tell whether it is put together right
  run(${CMAKE_COMMAND} --build ${folder}/build --target tendril_rod)
  # which was not asked for more than every x86-64 has: no register of AVX
  foreach(layer math rod)
    run(objdump -d ${folder}/build/tendril/libtendril_${layer}.a)
    if(NOT output MATCHES "%xmm" OR output MATCHES "%[yz]mm[0-9]+")
      message(FATAL_ERROR "tendril_${layer} is not for any x86-64: ${CMAKE_MATCH_0}")
    endif()
  endforeach()
  return()
endif()
run(${CMAKE_COMMAND} --build ${folder}/build)

function(expect program pattern)
  run(${folder}/build/${program} ${SOURCE}/examples/rope.toml)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${program} printed\n${output}\nexpected ${pattern}")
  endif()
endfunction()
expect(step_a_scene "1\\.000 0\\.[45][0-9]+ -?0\\.000000 -0\\.0")  # the middle sags
expect(drive_and_load "clamp at z = -0\\.027942, middle at y = 0\\.0")   # 0.1 sin(6): as it was driven, and pulled
expect(own_solver "middle at z = -0\\.0[0-9]+ after 0\\.100 s")
