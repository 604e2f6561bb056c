# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of the package for `pip wheel . --no-build-isolation`, with CMake and ninja, offline
(PEP 517). The wheel holds libposse, its modules and the shipped scenarios; Debian's libraries that
these need stay outside, unless the setting `bundle` is given: then it holds all but those of the C
and C++ compilers, for other systems with as new a C library."""

import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    build = (ROOT / "CMakeLists.txt").read_text()
    return project | {"version": re.search(r"project\(posse VERSION ([\d.]+)", build)[1]}


def _run(*command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, stdout=sys.stderr)


def _stage(folder, preset):
    """Builds, and puts the package into `folder`."""
    python = f"python-{sys.version_info.major}.{sys.version_info.minor}"
    build = ROOT / "build" / (preset if sys.executable == "/usr/bin/python3" else python)
    _run("cmake", "--preset", preset, "-B", build, f"-DPython_EXECUTABLE={sys.executable}")
    _run("ninja", "-C", build, "posse_python")
    _run("cmake", "--install", build, "--component", "python", "--prefix", folder / "installed")
    _run("cmake", "--install", build, "--component", "library", "--prefix", folder / "installed")
    package = next((folder / "installed").rglob("posse/__init__.py")).parent
    library = next((folder / "installed").rglob("libposse.so.0"))
    (package / "lib").mkdir()
    shutil.copyfile(library.resolve(), package / "lib" / "libposse.so.0")
    shutil.copytree(library.parent / "posse", package / "lib" / "posse")
    shutil.copytree(ROOT / "scenarios", package / "share" / "posse" / "scenarios")
    return package


def _bundle_libraries(package):
    """Copies what the modules need into the package. Returns the platform that it then suits."""
    libraries = package / "lib"
    own = [*package.glob("*.so"), *libraries.rglob("*.so*")]
    # Unlike a RUNPATH, an RPATH holds for the libraries of libraries, too.
    for file in own:
        here = os.path.relpath(libraries, file.parent)
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/{here}", file], check=True)
    needed = subprocess.run(["ldd", *own], capture_output=True, text=True, check=True).stdout
    of_compilers = r"lib(c|m|pthread|dl|rt|util|resolv|stdc\+\+|gcc_s)\.so|ld-linux"
    for path in sorted(set(re.findall(r"=> (/\S+)", needed))):
        name = Path(path).name
        if not re.match(of_compilers, name) and not (libraries / name).exists():
            shutil.copyfile(path, libraries / name)
    return "manylinux_" + platform.libc_ver()[1].replace(".", "_") + "_" + platform.machine()


def _metadata():
    project = _project()
    extras = "".join(
        f"Provides-Extra: {name}\n"
        + "".join(f'Requires-Dist: {need}; extra == "{name}"\n' for need in needs)
        for name, needs in project["optional-dependencies"].items()
    )
    needs = "".join(f"Requires-Dist: {need}\n" for need in project["dependencies"])
    return (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        f"Summary: {project['description']}\nLicense: {project['license']['text']}\n"
        f"Requires-Python: {project['requires-python']}\n{needs}{extras}"
        f"Description-Content-Type: text/markdown\n\n{(ROOT / project['readme']).read_text()}"
    )


def _tag(system):
    abi = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{abi}-{abi}-{system.replace('-', '_').replace('.', '_')}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """With the settings `preset` and `platform` for another machine than this one (tools/arm64), or
    with `bundle`."""
    settings = config_settings or {}
    preset = settings.get("preset", "release")
    system = settings.get("platform", sysconfig.get_platform())
    with tempfile.TemporaryDirectory() as temporary:
        package = _stage(Path(temporary), preset)
        if "bundle" in settings:
            system = _bundle_libraries(package)
        files = {
            f"posse/{file.relative_to(package)}": file.read_bytes()
            for file in sorted(package.rglob("*"))
            if file.is_file()
        }
    project = _project()
    name = f"{project['name']}-{project['version']}"
    tag = _tag(system)
    info = f"{name}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: posse\nRoot-Is-Purelib: false\nTag: {tag}\n"
    ).encode()
    record = "".join(
        f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items()
    )
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = Path(wheel_directory) / f"{name}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)  # with the same time whenever it is made
            entry.external_attr = (0o755 if ".so" in path else 0o644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel.name


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
