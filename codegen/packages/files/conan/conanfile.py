from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout


class Package(ConanFile):
    name = "@name@"
    version = "@version@"
    description = "@description@"
    author = "@author@"
    homepage = "@url@"
    license = "LicenseRef-LICENSE"
    topics = ("neural-network", "inference")
    package_type = "static-library"
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeToolchain"
    exports_sources = "CMakeLists.txt", "src/*", "LICENSE", "README.md"

    def layout(self):
        cmake_layout(self, src_folder=".")

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["@prefix@"]
        self.cpp_info.system_libs = [@libraries@]
