package touched

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestShadowedBy: a file takes the place of those that tools would find after it, and of no others.
func TestShadowedBy(t *testing.T) {
	t.Parallel()
	const none = ""
	for _, tt := range []struct {
		file  string
		names string // that are there, by spaces
		want  string // those of them that it takes the place of
	}{
		// Python: caches, sources without text, machine code, packages.
		{"__pycache__/check.cpython-311.pyc", "check.py lib/check.py", "check.py"},
		{"__pycache__/check.cpython-311.opt-1.pyc", "check.py", "check.py"},
		{"lib/__pycache__/check.cpython-311-pytest-8.1.0.pyc", "lib/check.py check.py", "lib/check.py"},
		{"__pycache__/run.check.cpython-311.pyc", "run.check.py", "run.check.py"},
		{"check.pyc", "check.py", "check.py"},
		{"check.so", "check.py", "check.py"},
		{"check.cpython-311-x86_64-linux-gnu.so", "check.py", "check.py"},
		{"check.abi3.so", "check.py", "check.py"},
		{"check.pyd", "check.py", "check.py"},
		{"check/__init__.py", "check.py", "check.py"},
		{"check/__init__.pyc", "check.py", "check.py"},
		{"check/__init__.abi3.so", "check.py check/__init__.py", "check.py check/__init__.py"},
		{"a/check/__init__.py", "check.py a/check.py", "a/check.py"},
		{"CHECK.PYD", "check.py", "check.py"},
		{"tests.py", "tests/a.py tests/b/c.py tests/a.txt", "tests/a.py tests/b/c.py"},
		{"tests.py", "tests/__init__.py tests/a.py", none},
		{"foo.py", "foo_test.py test_foo.py", none},
		{"src/check/run.py", "check.py", none},
		{"src/check/__init__.py", "check.py", none},
		{"__init__.py", "check.py", none},
		{"my__pycache__/check.cpython-311.pyc", "check.py my/check.py", none},
		{"checks.pyc", "check.py", none},
		// JavaScript and TypeScript: the exact name, other endings, the folder.
		{"check", "check.js", "check.js"},
		{"check", "check.json", "check.json"},
		{"lib/check.test", "lib/check.test.js", "lib/check.test.js"},
		{"check.ts", "check.js", "check.js"},
		{"check.cjs", "check.js", "check.js"},
		{"check.node", "check.js", "check.js"},
		{"check.js", "check.json", "check.json"},
		{"check.js", "check/index.js", "check/index.js"},
		{"check/package.json", "check/index.js", "check/index.js"},
		{"vitest.config.ts", "vite.config.js", "vite.config.js"},
		{"web/vitest.config.ts", "vite.config.js", none},
		// Nothing looks for these first.
		{"check.json", "check.js", none},
		{"check/index.js", "check.js", none},
		{"check.d.ts", "check.js", none},
		{"check.test.js", "check.js", none},
		{"lib/check", "check.js", none},
		// Compiled files.
		{"Check.pmc", "Check.pm", "Check.pm"},
		{"init.elc", "init.el", "init.el"},
		{"lib.zsh.zwc", "lib.zsh", "lib.zsh"},
		{"check.h.gch", "check.h", "check.h"},
		{"check.exe", "check.bat", "check.bat"},
		{"check.cmd", "check.bat", none},
		// What make makes its makefiles of, and other texts.
		{"Makefile.sh", "Makefile", "Makefile"},
		{"Makefile.c", "Makefile", "Makefile"},
		{"Makefile.S", "Makefile", "Makefile"},
		{"Makefile.o", "Makefile", "Makefile"},
		{"Makefile.y", "Makefile", "Makefile"},
		{"GNUmakefile.sh", "GNUmakefile", "GNUmakefile"},
		{"rules.mk.sh", "rules.mk", "rules.mk"},
		{"check.sh.sh", "check.sh", "check.sh"},
		{"Makefile,v", "Makefile", "Makefile"},
		{"RCS/Makefile,v", "Makefile", "Makefile"},
		{"RCS/Makefile", "Makefile", "Makefile"},
		{"s.Makefile", "Makefile", "Makefile"},
		{"SCCS/s.Makefile", "Makefile", "Makefile"},
		{"sub/RCS/Makefile,v", "Makefile sub/Makefile", "sub/Makefile"},
		{"Makefile.sh,v", "Makefile", "Makefile"},
		{"Makefile.am", "Makefile", none},
		{"Makefile.in", "Makefile", none},
		{"Makefile.md", "Makefile", none},
		{"greet.c", "greet", none},
		{"greet.sh", "greet", none},
		{"sub/Makefile.sh", "Makefile", none},
		// Names that tools look for in an order.
		{"GNUmakefile", "Makefile", "Makefile"},
		{"makefile", "Makefile", "Makefile"},
		{"Makefile", "makefile GNUmakefile", none},
		{"rakefile", "Rakefile Rakefile.rb", "Rakefile Rakefile.rb"},
		{"Rakefile.rb", "Rakefile", none},
		{"gems.rb", "Gemfile", "Gemfile"},
		{"pytest.toml", "pyproject.toml pytest.ini", "pytest.ini pyproject.toml"},
		{".pytest.ini", "pyproject.toml", "pyproject.toml"},
		{"tox.ini", "setup.cfg", "setup.cfg"},
		{".cargo/config", ".cargo/config.toml", ".cargo/config.toml"},
		{"config", "config.toml", none},
		{"rust-toolchain", "rust-toolchain.toml", "rust-toolchain.toml"},
		{"lib/BUILD.bazel", "BUILD lib/BUILD", "lib/BUILD"},
		{"WORKSPACE.bazel", "WORKSPACE", "WORKSPACE"},
		{"compose.override.yml", "compose.yaml", "compose.yaml"},
		{"docker-compose.override.yml", "docker-compose.yml compose.yml", "docker-compose.yml"},
		{"compose.yaml", "docker-compose.yml", "docker-compose.yml"},
		{"Containerfile", "Dockerfile", "Dockerfile"},
		{"setup.cfg", "pyproject.toml", "pyproject.toml"},
		{"pyproject.toml", "setup.cfg pytest.ini", none},
		{"README.md", "README main.go README.rst", none},
		{"main.go", "main_test.go main", none},
	} {
		var got []string
		for _, s := range NewNames(strings.Fields(tt.names)).ShadowedBy(tt.file) {
			got = append(got, s.File)
		}
		assert.Equal(t, tt.want, strings.Join(got, " "), "%s beside %s", tt.file, tt.names)
	}
}

// FuzzShadowedBy: no name makes it fail, and none takes the place of itself.
func FuzzShadowedBy(f *testing.F) {
	f.Add("RCS/s.Makefile.sh,v")
	f.Add("a/__pycache__/check.cpython-311.opt-1.pyc")
	f.Fuzz(func(t *testing.T, file string) {
		names := NewNames([]string{file, "Makefile", "check.py"})
		for _, s := range append(names.ShadowedBy(file), names.ShadowedBelow(file)...) {
			assert.NotEqual(t, "", s.File)
		}
		for _, s := range names.ShadowedBy(file) {
			assert.NotEqual(t, file, s.File)
		}
	})
}
