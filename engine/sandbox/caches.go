package sandbox

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"chant/providers"
)

// cache is a variable that moves the cache of a tool into a folder.
type cache struct {
	variable, folder string
	ifFile           string // set only if the tree has this file; "" = always
}

// caches lists the caches that tools need to write to.
func caches() []cache {
	return []cache{
		{"XDG_CACHE_HOME", "xdg", ""}, {"GOCACHE", "go-build", ""}, {"GOMODCACHE", "go-mod", ""},
		{"npm_config_cache", "npm", ""}, {"YARN_CACHE_FOLDER", "yarn", ""}, {"YARN_GLOBAL_FOLDER", "yarn-global", ""},
		{"npm_config_store_dir", "pnpm", "pnpm-lock.yaml"}, {"BUN_INSTALL_CACHE_DIR", "bun", ""}, {"DENO_DIR", "deno", ""},
		{"CARGO_HOME", "cargo", ""}, {"PIP_CACHE_DIR", "pip", ""}, {"UV_CACHE_DIR", "uv", ""}, {"POETRY_CACHE_DIR", "poetry", ""},
		{"GRADLE_USER_HOME", "gradle", ""}, {"NUGET_PACKAGES", "nuget", ""}, {"DOTNET_CLI_HOME", "dotnet", ""},
		{"COMPOSER_CACHE_DIR", "composer", ""}, {"BUNDLE_USER_CACHE", "bundle", ""}, {"CCACHE_DIR", "ccache", ""},
		{"SCCACHE_DIR", "sccache", ""}, {"ZIG_GLOBAL_CACHE_DIR", "zig", ""},
	}
}

// cacheEnv returns the variables that move caches below a folder.
func cacheEnv(top, tree string, environ []string) []string {
	var env []string
	for _, c := range caches() {
		if c.ifFile != "" {
			if _, err := os.Stat(filepath.Join(tree, c.ifFile)); err != nil {
				continue
			}
		}
		env = append(env, c.variable+"="+filepath.Join(top, c.folder))
	}
	home := providers.Variable(environ, "HOME")
	env = append(env, "GOPROXY="+moduleProxy(environ, home))
	if _, err := os.Stat(filepath.Join(tree, "pom.xml")); err == nil {
		env = append(env, "MAVEN_ARGS="+strings.TrimSpace(providers.Variable(environ, "MAVEN_ARGS")+" -Dmaven.repo.local="+filepath.Join(top, "m2")))
	}
	return env
}

// linkSettings links the settings and logins that cargo and gradle keep beside their caches into the folder of caches,
// from which it removes what else would be taken for settings: what ran before may have left it there.
func linkSettings(top string, environ []string) error {
	for _, name := range []string{
		"cargo/config", "cargo/config.toml", "cargo/credentials", "cargo/credentials.toml", "cargo/bin", "cargo/env",
		"gradle/gradle.properties", "gradle/init.d", "gradle/init.gradle", "gradle/init.gradle.kts", "dotnet/.nuget/NuGet",
		"dotnet/.dotnet/tools", "bundle/config", "ccache/ccache.conf", "sccache/config", "uv/uv.toml", "m2/settings.xml", "npm/npmrc",
	} {
		if err := os.RemoveAll(filepath.Join(top, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	home := providers.Variable(environ, "HOME")
	if !filepath.IsAbs(home) {
		return nil
	}
	for _, l := range []struct{ variable, usual, to string }{{"CARGO_HOME", ".cargo", "cargo"}, {"GRADLE_USER_HOME", ".gradle", "gradle"}} {
		from := cmp.Or(providers.Variable(environ, l.variable), filepath.Join(home, l.usual))
		if err := linkEach(from, filepath.Join(top, l.to)); err != nil {
			return err
		}
	}
	return nil
}

// linkEach links the files with settings from one folder into another.
func linkEach(from, to string) error {
	for _, name := range []string{"config.toml", "credentials.toml", "gradle.properties", "init.d"} {
		if _, err := os.Stat(filepath.Join(from, name)); err != nil {
			continue
		}
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
		if err := os.Symlink(filepath.Join(from, name), filepath.Join(to, name)); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}

// moduleProxy is the value of GOPROXY with which go takes modules from the user's cache first, and then from where
// the user has it take them.
func moduleProxy(environ []string, home string) string {
	settings := goSettings(environ, home)
	usual := cmp.Or(providers.Variable(environ, "GOPROXY"), settings["GOPROXY"], "https://proxy.golang.org,direct")
	path := cmp.Or(providers.Variable(environ, "GOPATH"), settings["GOPATH"])
	if path, _, _ = strings.Cut(path, string(filepath.ListSeparator)); path == "" {
		path = filepath.Join(home, "go")
	}
	modules := filepath.Join(cmp.Or(providers.Variable(environ, "GOMODCACHE"), settings["GOMODCACHE"], filepath.Join(path, "pkg", "mod")), "cache", "download")
	if info, err := os.Stat(modules); err != nil || !info.IsDir() {
		return usual
	}
	return "file://" + filepath.ToSlash(modules) + "," + usual
}

// goSettings reads what "go env -w" has written.
func goSettings(environ []string, home string) map[string]string {
	config := cmp.Or(providers.Variable(environ, "XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	if runtime.GOOS == "darwin" {
		config = filepath.Join(home, "Library", "Application Support")
	}
	out := map[string]string{}
	file, err := os.Open(cmp.Or(providers.Variable(environ, "GOENV"), filepath.Join(config, "go", "env")))
	if err != nil {
		return out // most users have none
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok {
			out[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return out
}

// gitEnv are variables with which git begins no maintenance of the repository, which the wall refuses. What the
// environment sets for git in the same way is kept.
func gitEnv(environ []string, further [][2]string) []string {
	count := 0
	for _, digit := range providers.Variable(environ, "GIT_CONFIG_COUNT") {
		if digit < '0' || digit > '9' || count > 1000 {
			return nil
		}
		count = count*10 + int(digit-'0')
	}
	var env []string
	for _, setting := range append([][2]string{{"gc.auto", "0"}, {"maintenance.auto", "false"}, {"core.fsmonitor", "false"}}, further...) {
		n := strconv.Itoa(count)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+setting[0], "GIT_CONFIG_VALUE_"+n+"="+setting[1])
		count++
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(count))
}
