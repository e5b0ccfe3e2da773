#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_package.py KIND FOLDER: whether the package is one: its metadata parses and names files that are there, no placeholder is left, and library and
example build by the ecosystem's rules. Build systems that are no packages of the system (Zephyr, ESP-IDF, Arduino's cores) are their functions of CMake, or
their flags, in little."""
import ast
import configparser
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import yaml

ARM = ["arm-none-eabi-g++", "-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]
# What the ecosystem's CMake has, as far as a package calls it. Sources are compiled, and nothing is linked, as a core's start-up code would be needed.
ZEPHYR = """cmake_minimum_required(VERSION 3.20)
project(module C CXX)
set(CONFIG_{symbol} y)
add_library(interface INTERFACE)
function(zephyr_include_directories)
  foreach(folder ${{ARGN}})
    get_filename_component(path ${{folder}} ABSOLUTE BASE_DIR ${{CMAKE_CURRENT_LIST_DIR}})
    target_include_directories(interface INTERFACE ${{path}})
  endforeach()
endfunction()
macro(zephyr_library_named name)
  add_library(${{name}} STATIC)
  target_link_libraries(${{name}} interface)
  set(current ${{name}})
endmacro()
macro(zephyr_library_sources)
  target_sources(${{current}} PRIVATE ${{ARGN}})
endmacro()
macro(zephyr_library_compile_options)
  target_compile_options(${{current}} PRIVATE ${{ARGN}})
endmacro()
add_subdirectory({folder}/zephyr module)
add_library(app STATIC {folder}/samples/run/src/main.c)
target_link_libraries(app interface)
"""
IDF = """cmake_minimum_required(VERSION 3.16)
project(component C CXX)
function(idf_component_register)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SRCS;INCLUDE_DIRS")
  get_filename_component(name ${{CMAKE_CURRENT_LIST_DIR}} NAME)
  set(COMPONENT_LIB component_${{name}} PARENT_SCOPE)
  add_library(component_${{name}} STATIC ${{arg_SRCS}})
  if(arg_INCLUDE_DIRS)
    target_include_directories(component_${{name}} PUBLIC ${{arg_INCLUDE_DIRS}})
  endif()
endfunction()
add_subdirectory({folder} component)
add_subdirectory({folder}/examples/run/main main)
target_link_libraries(component_main component_{name})
"""
# Of Arduino's core, what the sketch calls.
SKETCH = """
struct { void begin(long) {} void print(const char *) {} template <class T> void println(T) {} void print(unsigned long) {} } Serial;
unsigned long micros() { return 0; }
void delay(unsigned long) {}
"""


def run(*command: str, **more: object) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def cmake(folder: Path, text: str, *more: str) -> None:
    place = folder.parent / (folder.name + "_build")
    place.mkdir(exist_ok=True)
    (place / "CMakeLists.txt").write_text(text)
    run("cmake", "-S", str(place), "-B", str(place / "build"), *more)
    run("cmake", "--build", str(place / "build"))


def arduino(folder: Path) -> None:
    lines = (folder / "library.properties").read_text().splitlines()
    fields = dict(line.split("=", 1) for line in lines)
    assert len(fields) == len(lines) == 10 and all(fields.values()), lines
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_ .-]{0,62}", fields["name"]) and re.fullmatch(r"\d+\.\d+\.\d+", fields["version"])
    assert (folder / "src" / fields["includes"]).is_file()
    for line in (folder / "keywords.txt").read_text().splitlines():
        assert re.fullmatch(r"\w+\t(KEYWORD[12]|LITERAL1)", line), line
    for source in (folder / "src").glob("*.cpp"):
        run(*ARM, "-std=gnu++17", "-Os", "-w", "-fno-exceptions", "-I", str(folder / "src"), "-c", str(source), "-o", "/dev/null")
    sketch = folder.parent / "sketch.cpp"
    sketch.write_text(SKETCH + (folder / "examples/run/run.ino").read_text())
    run(*ARM, "-std=gnu++17", "-I", str(folder / "src"), "-c", str(sketch), "-o", "/dev/null")


def zephyr(folder: Path) -> None:
    module = yaml.safe_load((folder / "zephyr/module.yml").read_text())
    assert isinstance(module["name"], str) and (folder / module["build"]["kconfig"]).is_file() and (folder / module["build"]["cmake"]).is_dir()
    assert all((folder / sample).is_dir() for sample in module["samples"])
    (symbol,) = re.findall(r"^config (\w+)$", (folder / "zephyr/Kconfig").read_text(), re.M)
    assert f"CONFIG_{symbol}=y" in (folder / "samples/run/prj.conf").read_text()
    assert len(yaml.safe_load((folder / "samples/run/sample.yaml").read_text())["tests"]) == 1
    cmake(folder, ZEPHYR.format(folder=folder, symbol=symbol), *cross())


def esp_idf(folder: Path) -> None:
    manifest = yaml.safe_load((folder / "idf_component.yml").read_text())
    assert all(isinstance(manifest[key], str) for key in ("version", "description", "url"))
    ((own, dependency),) = yaml.safe_load((folder / "examples/run/main/idf_component.yml").read_text())["dependencies"].items()
    assert re.fullmatch(r"[a-zA-Z\d]+([_-]?[a-zA-Z\d]+)+", own), own  # the component manager's rule
    assert (folder / "examples/run/main" / dependency["path"]).resolve() == folder
    cmake(folder, IDF.format(folder=folder, name=folder.name), *cross())


def cross() -> list[str]:
    return ["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_C_COMPILER=arm-none-eabi-gcc",
            "-DCMAKE_CXX_COMPILER=arm-none-eabi-g++", *(f"-DCMAKE_{language}_FLAGS={' '.join(ARM[1:])}" for language in ("C", "CXX"))]  # fmt: skip


def platformio(folder: Path) -> None:
    manifest = json.loads((folder / "library.json").read_text())
    (example,) = manifest["examples"]
    assert all((folder / example["base"] / name).is_file() for name in example["files"])
    ini = configparser.ConfigParser()
    ini.read(folder / "examples/run/platformio.ini")
    assert ini["env:run"]["platform"] == "native"
    build = manifest["build"]
    sources = [str(path) for path in (folder / build["srcDir"]).glob("*.cpp")]
    include = ["-I", str(folder / build["includeDir"])]
    run("g++", "-std=gnu++17", *build["flags"], *include, "-c", *sources, "-o", f"{folder}_library.o")
    run("gcc", *include, str(folder / "examples/run/src/main.c"), f"{folder}_library.o", "-o", f"{folder}_run")
    run(f"{folder}_run")


def cmsis_pack(folder: Path) -> None:
    (pdsc,) = folder.glob("*.pdsc")
    root = xml.parse(pdsc).getroot()
    assert pdsc.name == f"{root.findtext('vendor')}.{root.findtext('name')}.pdsc"
    (component,) = root.iter("component")  # PACK.xsd: CvendorType, CsubType and the URL's
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{1,31}", component.get("Cvendor")) and component.get("Cvendor") == root.findtext("vendor")
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_]{0,31}", component.get("Csub")) and re.fullmatch(r"https?://[!-~]+", root.findtext("url"))
    files = [file.get("name") for file in root.iter("file")]
    assert all((folder / name).exists() for name in files) and (folder / root.findtext("license")).is_file()
    assert {path.name for path in (folder / "src").iterdir()} <= {Path(name).name for name in files}
    for source in root.iterfind(".//file[@category='sourceCpp']"):
        run(*ARM, "-std=c++17", "-I", str(folder / "src"), "-c", str(folder / source.get("name")), "-o", "/dev/null")
    run("arm-none-eabi-gcc", *ARM[1:], "-I", str(folder / "src"), "-c", str(folder / "examples/run/main.c"), "-o", "/dev/null")


def conan(folder: Path) -> None:
    for path in folder.rglob("conanfile.py"):
        ast.parse(path.read_text())
    fields = {item.targets[0].id: ast.literal_eval(item.value) for item in ast.walk(ast.parse((folder / "conanfile.py").read_text()))
              if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name) and isinstance(item.value, (ast.Constant, ast.Tuple))}  # fmt: skip
    assert re.fullmatch(r"[a-z0-9_][a-z0-9_+.-]{1,100}", fields["name"]), fields
    installed, place = Path(f"{folder}_installed"), Path(f"{folder}_build")
    run("cmake", "-S", str(folder), "-B", str(place), f"-DCMAKE_INSTALL_PREFIX={installed}")
    run("cmake", "--build", str(place), "--target", "install")
    (library,) = (installed / "lib").glob("*.a")
    run("gcc", "-I", str(installed / "include"), str(folder / "test_package/main.c"), str(library), "-o", f"{folder}_run")
    run(f"{folder}_run")


def main() -> None:
    kind, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    for path in folder.rglob("*"):
        if path.is_file() and path.parent != folder / "src" and "_report" not in path.name:  # those have the names of the model
            found = re.search(r"@[a-z-]+@", path.read_text())
            assert not found, f"{path}: {found[0]}"
    assert (folder / "LICENSE").is_file() and (folder / "README.md").is_file()
    globals()[kind.replace("-", "_")](folder)
    print(kind, "is well formed")


main()
