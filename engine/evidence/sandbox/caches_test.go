package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// files creates files below a folder, each with a text.
func files(t *testing.T, top string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(top, filepath.FromSlash(name))
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// TestCacheEnv: every cache is below the folder, and the variables of tools that change how a project is built are set
// only for projects of that tool.
func TestCacheEnv(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tree    map[string]string
		environ []string
		want    map[string]string // "" = not set
	}{
		"any project": {
			nil, nil, map[string]string{
				"GOCACHE": "/top/go-build", "GOMODCACHE": "/top/go-mod", "npm_config_cache": "/top/npm", "CARGO_HOME": "/top/cargo",
				"PIP_CACHE_DIR": "/top/pip", "XDG_CACHE_HOME": "/top/xdg", "npm_config_store_dir": "", "MAVEN_ARGS": "",
			},
		},
		"pnpm":  {map[string]string{"pnpm-lock.yaml": ""}, nil, map[string]string{"npm_config_store_dir": "/top/pnpm"}},
		"npm":   {map[string]string{"package-lock.json": "{}"}, nil, map[string]string{"npm_config_store_dir": ""}},
		"maven": {map[string]string{"pom.xml": ""}, nil, map[string]string{"MAVEN_ARGS": "-Dmaven.repo.local=/top/m2"}},
		"maven with arguments": {
			map[string]string{"pom.xml": ""}, []string{"MAVEN_ARGS=-B"}, map[string]string{"MAVEN_ARGS": "-B -Dmaven.repo.local=/top/m2"},
		},
		"caches that the user has moved": {nil, []string{"GOCACHE=/mine"}, map[string]string{"GOCACHE": "/top/go-build"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := t.TempDir()
			files(t, tree, c.tree)
			got := cacheEnv("/top", tree, append([]string{"HOME=" + t.TempDir()}, c.environ...))
			for variable, want := range c.want {
				assert.Equal(t, want, providers.Variable(got, variable), "%s", variable)
				set := slices.ContainsFunc(got, func(entry string) bool { return strings.HasPrefix(entry, variable+"=") })
				assert.Equal(t, want != "", set, "%s is set", variable)
			}
		})
	}
}

// TestModuleProxy: go takes modules from the user's cache first if there is one, wherever the user has moved it.
func TestModuleProxy(t *testing.T) {
	t.Parallel()
	const usual = "https://proxy.golang.org,direct"
	const module = "/cache/download/x/@v/list"
	for name, c := range map[string]struct {
		files   map[string]string // of the home folder
		environ []string          // HOME stands for the home folder
		want    string
	}{
		"no cache":             {nil, nil, usual},
		"a cache":              {map[string]string{"go/pkg/mod" + module: ""}, nil, "file://HOME/go/pkg/mod/cache/download," + usual},
		"a file in its place":  {map[string]string{"go/pkg/mod/cache/download": ""}, nil, usual},
		"GOPATH":               {map[string]string{"p/pkg/mod" + module: ""}, []string{"GOPATH=HOME/p:HOME/q"}, "file://HOME/p/pkg/mod/cache/download," + usual},
		"GOMODCACHE":           {map[string]string{"m" + module: ""}, []string{"GOMODCACHE=HOME/m"}, "file://HOME/m/cache/download," + usual},
		"a proxy of their own": {map[string]string{"go/pkg/mod" + module: ""}, []string{"GOPROXY=off"}, "file://HOME/go/pkg/mod/cache/download,off"},
		"settings of go env -w": {
			map[string]string{"m" + module: "", "env": "GOPROXY=https://corp\n# x\nGOMODCACHE = HOME/m\nnonsense\n"},
			[]string{"GOENV=HOME/env"}, "file://HOME/m/cache/download,https://corp",
		},
		"variables before settings": {
			map[string]string{"env": "GOPROXY=https://corp\n"}, []string{"GOENV=HOME/env", "GOPROXY=direct"}, "direct",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			in := func(text string) string { return strings.ReplaceAll(text, "HOME", home) }
			texts := map[string]string{}
			for path, text := range c.files {
				texts[path] = in(text)
			}
			files(t, home, texts)
			environ := []string{"HOME=" + home}
			for _, entry := range c.environ {
				variable, value, _ := strings.Cut(entry, "=")
				environ = append(environ, variable+"="+in(value))
			}
			if got := moduleProxy(environ, home); got != in(c.want) {
				t.Errorf("%q, want %q", got, in(c.want))
			}
		})
	}
}

// TestRenewSettings: the caches of cargo and gradle hold copies of the settings and logins, from where the user has them, as
// far as they can be read, and nothing else that tools take for settings.
func TestRenewSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		environ []string
		hidden  string
		want    map[string]string
	}{
		"none":   {nil, nil, "", map[string]string{}},
		"cargo":  {map[string]string{".cargo/config.toml": "a", ".cargo/credentials.toml": "b", ".cargo/bin/x": ""}, nil, "", map[string]string{"cargo/config.toml": "a", "cargo/credentials.toml": "b"}},
		"hidden": {map[string]string{".cargo/config.toml": "a", ".cargo/credentials.toml": "b"}, nil, "credentials.toml", map[string]string{"cargo/config.toml": "a"}},
		"moved":  {map[string]string{"c/config.toml": "a"}, []string{"CARGO_HOME=HOME/c"}, "", map[string]string{"cargo/config.toml": "a"}},
		"gradle": {map[string]string{".gradle/gradle.properties": "a", ".gradle/init.d/a.gradle": "b"}, nil, "", map[string]string{"gradle/gradle.properties": "a", "gradle/init.d/a.gradle": "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, top := t.TempDir(), t.TempDir()
			files(t, home, c.files)
			files(t, top, map[string]string{"cargo/bin/cargo-x": "evil", "cargo/config": "evil", "gradle/init.d/b.gradle": "evil", "gradle/init.gradle": "evil", "npm/npmrc": "evil"})
			environ := []string{"HOME=" + home}
			for _, entry := range c.environ {
				environ = append(environ, strings.ReplaceAll(entry, "=HOME", "="+home))
			}
			for range 2 {
				assert.NoError(t, renewSettings(top, environ, func(path string) bool { return filepath.Base(path) != c.hidden }))
			}
			got := map[string]string{}
			err := filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text, err := os.ReadFile(path)
				got[strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(top)+"/")] = string(text)
				return err
			})
			assert.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	assert.NoError(t, renewSettings(t.TempDir(), nil, nil), "without a home folder")
}

// TestRenewSettings_besideOthers has other runs try meanwhile whether they can make folders there.
func TestRenewSettings_besideOthers(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	var others sync.WaitGroup
	done := make(chan struct{})
	others.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := MakeUsable(top); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 500 {
		if err := renewSettings(top, nil, nil); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	others.Wait()
}

// TestRenewSettings_hostile: whatever the caches hold, nothing outside of them is changed, and the settings are there in the
// end.
func TestRenewSettings_hostile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no links here")
	}
	link := func(to, name string) func(top, outside string) error {
		return func(top, outside string) error {
			path := filepath.Join(top, filepath.FromSlash(name))
			return errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(strings.ReplaceAll(to, "OUT", outside), path))
		}
	}
	for name, plant := range map[string]func(top, outside string) error{
		"the folder of cargo":           link("OUT", "cargo"),
		"the folder of cargo, relative": link("../outside", "cargo"),
		"the folder of gradle":          link("OUT", "gradle"),
		"the scripts of gradle":         link("OUT", "gradle/init.d"),
		"the settings of cargo":         link("OUT/config.toml", "cargo/config.toml"),
		"settings that are not there":   link("OUT/new", "cargo/config.toml"),
		"settings by a link to a link": func(top, outside string) error {
			return errors.Join(link("OUT", "x")(top, outside), link("../x/config.toml", "cargo/config.toml")(top, outside))
		},
		"a folder in a folder":       link("OUT", "dotnet/.nuget"),
		"maven":                      link("OUT", "m2"),
		"a circle":                   link("cargo", "cargo"),
		"a file":                     func(top, _ string) error { return os.WriteFile(filepath.Join(top, "cargo"), nil, 0o600) },
		"a folder instead of a file": func(top, _ string) error { return os.MkdirAll(filepath.Join(top, "cargo", "config.toml", "x"), 0o700) },
		"a second name of a file": func(top, outside string) error {
			return errors.Join(os.MkdirAll(filepath.Join(top, "cargo"), 0o700), os.Link(filepath.Join(outside, "config.toml"), filepath.Join(top, "cargo", "config.toml")))
		},
		"a folder without rights": func(top, _ string) error { return os.Mkdir(filepath.Join(top, "cargo"), 0) },
		"a folder below without rights": func(top, _ string) error {
			return errors.Join(os.MkdirAll(filepath.Join(top, "gradle", "init.d"), 0o700), os.Chmod(filepath.Join(top, "gradle", "init.d"), 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			home, top, outside := filepath.Join(base, "home"), filepath.Join(base, "top"), filepath.Join(base, "outside")
			files(t, home, map[string]string{".cargo/config.toml": "mine"})
			files(t, outside, map[string]string{"config.toml": "kept", "init.gradle": "kept", "bin/x": "kept", "NuGet/x": "kept", "settings.xml": "kept"})
			assert.NoError(t, os.MkdirAll(top, 0o700))
			assert.NoError(t, plant(top, outside))
			assert.NoError(t, renewSettings(top, []string{"HOME=" + home}, func(string) bool { return true }))
			text, err := os.ReadFile(filepath.Join(top, "cargo", "config.toml"))
			assert.NoError(t, err)
			assert.Equal(t, "mine", string(text))
			for _, name := range []string{"config.toml", "init.gradle", "bin/x", "NuGet/x", "settings.xml"} {
				text, err := os.ReadFile(filepath.Join(outside, filepath.FromSlash(name)))
				assert.NoError(t, err, "%s outside", name)
				assert.Equal(t, "kept", string(text), "%s outside", name)
			}
			found, err := os.ReadDir(outside)
			assert.NoError(t, err, "outside are %v", found)
			assert.Equal(t, 5, len(found), "outside are %v", found)
		})
	}
}

// TestGitEnv: settings of git in the environment are kept, and continued.
func TestGitEnv(t *testing.T) {
	t.Parallel()
	environ := []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Ann"}
	got := strings.Join(gitEnv(environ, [][2]string{{"a.b", "c"}}), " ")
	assert.Contains(t, got, "KEY_0=user.name GIT_CONFIG_VALUE_0=Ann GIT_CONFIG_KEY_1=gc.auto GIT_CONFIG_VALUE_1=0 ")
	assert.HasSuffix(t, got, "=a.b GIT_CONFIG_VALUE_"+strconv.Itoa(strings.Count(got, "KEY_")-1)+"=c")
	for _, count := range []string{"", "-1", "many", "9999999999999999999999"} {
		assert.Contains(t, strings.Join(gitEnv([]string{"GIT_CONFIG_COUNT=" + count}, nil), " "), " GIT_CONFIG_KEY_0=gc.auto ", "%q", count)
	}
	got = strings.Join(gitEnv([]string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Bearer s3cret"}, nil), " ")
	assert.NotContains(t, got, "s3cret")
}
