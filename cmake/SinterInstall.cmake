# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts where: the compiler, and the package that find_package(Sinter) finds. Nothing in the package depends on the
# architecture, so that cross builds find it too.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_DATADIR}/cmake/Sinter)
set(SINTER_INSTALL_TARGETS ${CMAKE_INSTALL_DATADIR}/sinter) # for firmware: start-up code, linker scripts, CMake toolchains
install(DIRECTORY ${PROJECT_SOURCE_DIR}/targets/boards ${PROJECT_SOURCE_DIR}/targets/toolchains DESTINATION ${SINTER_INSTALL_TARGETS})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SinterConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/SinterConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR SINTER_INSTALL_TARGETS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/SinterConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(TARGETS sinter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_BINARY_DIR}/cmake/SinterConfig.cmake ${PROJECT_BINARY_DIR}/cmake/SinterConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/SinterAddOnnxLibrary.cmake DESTINATION ${package})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
