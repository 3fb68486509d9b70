package sandbox

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"chant/gitops"
	"chant/gitops/rootdir"
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
		// Maven has no variable for its repository, only arguments.
		env = append(env, "MAVEN_ARGS="+strings.TrimSpace(providers.Variable(environ, "MAVEN_ARGS")+" -Dmaven.repo.local="+filepath.Join(top, "m2")))
	}
	return env
}

// settingNames lists what tools would take for settings in a folder of caches.
func settingNames() []string {
	return []string{
		"cargo/config", "cargo/config.toml", "cargo/credentials", "cargo/credentials.toml", "cargo/bin", "cargo/env",
		"gradle/gradle.properties", "gradle/init.d", "gradle/init.gradle", "gradle/init.gradle.kts", "dotnet/.nuget/NuGet",
		"dotnet/.dotnet/tools", "bundle/config", "ccache/ccache.conf", "sccache/config", "uv/uv.toml", "m2/settings.xml", "npm/npmrc",
	}
}

// renewSettings gives the caches of cargo and gradle copies of the person's settings and logins, and removes what else
// tools would take for settings: what ran before may have left it there. Nothing in the caches is a link to something of
// the person, and a link there leads nowhere else. readable reports whether who uses the caches can read a file at its own
// place: a copy shows nothing more.
func renewSettings(top string, environ []string, readable func(path string) bool) error {
	return rootdir.In(top, func(root *os.Root) error {
		// First, since what cannot be listed cannot be cleaned.
		if err := repairModes(root); err != nil {
			return err
		}
		wanted := personalSettings(environ, readable)
		for _, name := range settingNames() {
			// A link would lead the removal, or the copy, to another place.
			if err := rootdir.DropLinks(root, name); err != nil {
				return err
			}
			if err := removeOthers(root, name, wanted); err != nil {
				return err
			}
		}
		for name, content := range wanted {
			// Another run may be reading it, so it is not written again.
			if rootdir.Holds(root, name, content) {
				continue
			}
			if err := rootdir.Write(root, name, content, 0o600); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeOthers removes what is at a path, or in a folder there, and is not wanted. What is wanted stays, since another run
// may be reading it.
func removeOthers(root *os.Root, name string, wanted map[string][]byte) error {
	if content, copied := wanted[name]; copied && rootdir.Holds(root, name, content) {
		return nil
	}
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil || !info.IsDir() {
		return rootdir.RemoveAll(root, name)
	}
	entries, err := rootdir.List(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		// Another run has removed it.
		return nil
	}
	for _, e := range entries {
		if content, copied := wanted[name+"/"+e.Name()]; copied && rootdir.Holds(root, name+"/"+e.Name(), content) {
			continue
		}
		err = errors.Join(err, rootdir.RemoveAll(root, name+"/"+e.Name()))
	}
	// The folder may have scripts that are wanted.
	if err != nil || len(wanted) > 0 && name == "gradle/init.d" {
		return err
	}
	return rootdir.RemoveAll(root, name)
}

// repairModes makes folders usable again that what ran before has made unusable, in the two upper levels of the caches.
// Landlock does not restrict chmod.
func repairModes(root *os.Root) error {
	// Windows has no modes, and no wall.
	if runtime.GOOS == "windows" {
		return nil
	}
	entries, err := rootdir.List(root, ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if err := repairMode(root, e.Name(), 0o700); err != nil {
			return err
		}
		below, err := rootdir.List(root, e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			// Another run has removed it, such as one that only tried whether it can make a folder here.
			continue
		}
		if err != nil {
			return err
		}
		for _, b := range below {
			if !b.IsDir() {
				continue
			}
			// Go makes its modules read-only.
			if err := repairMode(root, filepath.Join(e.Name(), b.Name()), 0o500); err != nil {
				return err
			}
		}
	}
	return nil
}

// repairMode gives a folder all rights of its owner if it lacks one of those that are needed.
func repairMode(root *os.Root, name string, needed fs.FileMode) error {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		// Another run has removed it.
		return nil
	}
	if err != nil || !info.IsDir() || info.Mode().Perm()&needed == needed {
		return err
	}
	// It may have been removed since.
	if err := root.Chmod(name, info.Mode().Perm()|0o700); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// maxSettings limits what is copied of one file, in bytes: no file with settings is larger.
const maxSettings = 1 << 20

// personalSettings reads the settings and logins of cargo and gradle, by their paths below the folder of caches.
func personalSettings(environ []string, readable func(path string) bool) map[string][]byte {
	found := map[string][]byte{}
	home := providers.Variable(environ, "HOME")
	if !filepath.IsAbs(home) {
		return found
	}
	for _, l := range []struct{ variable, usual, to string }{{"CARGO_HOME", ".cargo", "cargo"}, {"GRADLE_USER_HOME", ".gradle", "gradle"}} {
		from := cmp.Or(providers.Variable(environ, l.variable), filepath.Join(home, l.usual))
		paths := []string{"config.toml", "credentials.toml", "gradle.properties"}
		scripts, err := os.ReadDir(filepath.Join(from, "init.d"))
		for _, script := range scripts {
			if err == nil && len(paths) < 100 {
				paths = append(paths, "init.d/"+script.Name())
			}
		}
		for _, name := range paths {
			path := filepath.Join(from, filepath.FromSlash(name))
			info, err := os.Stat(path)
			// A file that an agent may not read must not reach it as a copy.
			if err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings || !readable(path) {
				continue
			}
			if content, err := os.ReadFile(path); err == nil {
				found[l.to+"/"+name] = content
			}
		}
	}
	return found
}

// moduleProxy is the value of GOPROXY with which go takes modules from the user's cache first, and then from where
// the user has it take them.
func moduleProxy(environ []string, home string) string {
	settings := goSettings(environ, home)
	usual := cmp.Or(providers.Variable(environ, "GOPROXY"), settings["GOPROXY"], "https://proxy.golang.org,direct")
	path := cmp.Or(providers.Variable(environ, "GOPATH"), settings["GOPATH"])
	// GOPATH may be a list, of which go uses the first.
	if path, _, _ = strings.Cut(path, string(filepath.ListSeparator)); path == "" {
		path = filepath.Join(home, "go")
	}
	modules := filepath.Join(cmp.Or(providers.Variable(environ, "GOMODCACHE"), settings["GOMODCACHE"], filepath.Join(path, "pkg", "mod")), "cache", "download")
	if info, err := os.Stat(modules); err != nil || !info.IsDir() {
		return usual
	}
	// Then as before, since the cache lacks modules that nothing has used yet.
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
		// Most users have none.
		return out
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok {
			out[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return out
}

// gitEnv are variables with which git begins no maintenance of the repository and writes no packs, whatever the size of a
// file, since the wall refuses both. What the environment sets for git in the same way is kept, but for secrets.
func gitEnv(environ []string, further [][2]string) []string {
	// A big file is otherwise streamed into a pack, which agents may not write.
	return gitops.SettingsEnv(providers.WithoutSecretSettings(environ), append([][2]string{{"gc.auto", "0"}, {"maintenance.auto", "false"}, {"core.fsmonitor", "false"}, {"core.bigFileThreshold", "512m"}}, further...))
}
