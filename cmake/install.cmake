# cmake --install BUILD --prefix DIR --component library; then find_package(Tendril) in another project finds it
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(layers math rod contact solvers scene io sim engine)
list(TRANSFORM layers PREPEND tendril_ OUTPUT_VARIABLE layer_targets)
install(TARGETS ${layer_targets} tendril_library EXPORT TendrilTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT library)
# what solvers are made of is their own
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tendril COMPONENT library
        FILES_MATCHING PATTERN "*.h" PATTERN "render" EXCLUDE PATTERN "solvers/*/*" EXCLUDE PATTERN "tendril" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/src/tendril/tendril.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tendril
        COMPONENT library)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tendril)
install(EXPORT TendrilTargets NAMESPACE Tendril:: DESTINATION ${config_folder} COMPONENT library)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TendrilConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/TendrilConfig.cmake ${PROJECT_BINARY_DIR}/TendrilConfigVersion.cmake
        DESTINATION ${config_folder} COMPONENT library)
