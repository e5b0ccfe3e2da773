# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts where: the compiler, its man page and completion, the package that find_package(Sinter) finds, documents and
# samples. Nothing but the compiler depends on the architecture, so that cross builds find the package too. The target `uninstall` takes
# away what was installed last.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_DATADIR}/cmake/Sinter)
set(SINTER_INSTALL_TARGETS ${CMAKE_INSTALL_DATADIR}/sinter) # for firmware: start-up code, linker scripts, CMake toolchains
install(DIRECTORY ${PROJECT_SOURCE_DIR}/targets/boards ${PROJECT_SOURCE_DIR}/targets/toolchains DESTINATION ${SINTER_INSTALL_TARGETS})
set(zig ${PROJECT_SOURCE_DIR}/python/src/sinter/bin)
install(PROGRAMS ${zig}/zig-c++ ${zig}/zig-ar DESTINATION ${SINTER_INSTALL_TARGETS}/toolchains)
install(FILES ${zig}/cpu_model.c DESTINATION ${SINTER_INSTALL_TARGETS}/toolchains)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SinterConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/SinterConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR SINTER_INSTALL_TARGETS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/SinterConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(TARGETS sinter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_BINARY_DIR}/cmake/SinterConfig.cmake ${PROJECT_BINARY_DIR}/cmake/SinterConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/SinterAddOnnxLibrary.cmake DESTINATION ${package})
install(FILES ${PROJECT_SOURCE_DIR}/samples/pool/sinter_pool.h DESTINATION ${package}/pool)
# Sinter::generation: what choosing tokens includes.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime-lite DESTINATION ${package} FILES_MATCHING PATTERN "*.h" PATTERN cuda EXCLUDE PATTERN emulation EXCLUDE)

# Made by the compiler itself, of the tables of its flags, while installing.
set(manual ${PROJECT_BINARY_DIR}/manual)
install(CODE "
  file(MAKE_DIRECTORY ${manual})
  execute_process(COMMAND $<TARGET_FILE:sinter> help --man OUTPUT_FILE ${manual}/sinter.1 COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND $<TARGET_FILE:sinter> completion bash OUTPUT_FILE ${manual}/sinter COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND $<TARGET_FILE:sinter> completion zsh OUTPUT_FILE ${manual}/_sinter COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND $<TARGET_FILE:sinter> completion fish OUTPUT_FILE ${manual}/sinter.fish COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${manual}/sinter.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${manual}/sinter DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/_sinter DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${manual}/sinter.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# As they lie in the source folder, so that their links hold.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/samples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "build*" EXCLUDE)

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM COMMENT "Removing what was installed last")
