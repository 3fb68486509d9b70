package verify

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"chant/providers"
)

// passed are the variables that commands get: what tools need to find themselves,
// their caches and the network. Nothing of them is a secret. LC_* goes with them.
func passed() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOPROXY", "GONOSUMDB", "GOPRIVATE", "GOSUMDB", "GOTOOLCHAIN",
		"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "JAVA_HOME", "GRADLE_USER_HOME", "MAVEN_HOME", "ANDROID_HOME",
		"NVM_DIR", "NVM_BIN", "VOLTA_HOME", "PNPM_HOME", "COREPACK_HOME", "npm_config_cache", "NODE_EXTRA_CA_CERTS",
		"PYENV_ROOT", "PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_HOME", "RBENV_ROOT", "GEM_HOME", "DOTNET_ROOT",
		"HOMEBREW_PREFIX", "NIX_PATH", "NIX_SSL_CERT_FILE", "DOCKER_HOST",
		"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA",
		"ProgramData", "ProgramFiles", "ProgramFiles(x86)", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
	}
}

// Scrub reduces an environment to what commands get: the variables of the built-in
// list and those named in pass. Folders of PATH that lie in one of the trees, or
// that are not absolute, are taken out and returned: there whoever works in a tree
// could stand in for a tool.
func Scrub(environ, pass, trees []string) (env, dropped []string) {
	known := append(passed(), pass...)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !slices.ContainsFunc(known, func(k string) bool { return sameName(k, name) }) && !strings.HasPrefix(name, "LC_") {
			continue
		}
		if sameName(name, "PATH") {
			value, dropped = outside(value, trees)
		}
		env = append(env, name+"="+value)
	}
	return env, dropped
}

func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// outside takes the folders out of a PATH that a tree could hold.
func outside(path string, trees []string) (kept string, dropped []string) {
	var folders []string
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) || slices.ContainsFunc(trees, func(tree string) bool { return within(tree, folder) }) {
			dropped = append(dropped, folder)
			continue
		}
		folders = append(folders, folder)
	}
	return strings.Join(folders, string(filepath.ListSeparator)), dropped
}

// within reports whether a path lies in a folder, links followed.
func within(folder, path string) bool {
	for _, p := range []string{path, real(path)} {
		rel, err := filepath.Rel(real(folder), p)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func real(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		return followed
	}
	return path
}

// resolve tells what variables are in the tree: a value that begins with "$ " is the
// first line which that command prints there, such as the version of a tool. Each
// command runs once.
func (c *checker) resolve(ctx context.Context, vars map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		line, asks := strings.CutPrefix(vars[name], "$ ")
		if !asks {
			out[name] = vars[name]
			continue
		}
		said, err := c.ask(ctx, line)
		if err != nil {
			return nil, err
		}
		out[name] = said
	}
	return out, nil
}

// ask runs a command for the first line that it prints.
func (c *checker) ask(ctx context.Context, line string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if said, known := c.facts[line]; known {
		return said, nil
	}
	first := &firstLine{}
	res, err := providers.RunCommand(ctx, providers.Command{
		Line: line, Dir: c.Tree, Env: slices.Concat(c.Env, c.Own), Timeout: c.Timeout, RunID: c.RunID, Output: first,
	})
	if err != nil {
		return "", err
	}
	said := strings.TrimSpace(first.text)
	if res.ExitCode != 0 || res.TimedOut {
		said = fmt.Sprintf("unknown: `%s` exited with %d", line, res.ExitCode)
	}
	c.facts[line] = said
	return said, nil
}

// firstLine keeps the first line written to it, of at most 200 bytes.
type firstLine struct {
	text string
	done bool
}

// Write implements io.Writer; it never fails.
func (f *firstLine) Write(p []byte) (int, error) {
	if !f.done {
		line, _, ended := strings.Cut(f.text+string(p), "\n")
		f.text = strings.ToValidUTF8(line[:min(len(line), 200)], "")
		f.done = ended || len(line) >= 200
	}
	return len(p), nil
}
