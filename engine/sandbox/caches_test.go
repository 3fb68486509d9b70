package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/providers"
)

// files creates files below a folder, each with a text.
func files(t *testing.T, top string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
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
				if value := providers.Variable(got, variable); value != want {
					t.Errorf("%s is %q, want %q", variable, value, want)
				}
				if set := slices.ContainsFunc(got, func(entry string) bool { return strings.HasPrefix(entry, variable+"=") }); set != (want != "") {
					t.Errorf("%s is set: %v", variable, set)
				}
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

// TestLinkSettings: settings and logins of cargo and gradle are linked, from where the user has them, and nothing else is.
func TestLinkSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		environ []string
		want    map[string]string // link below the caches -> file below the home folder
	}{
		"none":   {nil, nil, map[string]string{}},
		"cargo":  {map[string]string{".cargo/config.toml": "", ".cargo/credentials.toml": "", ".cargo/bin/x": ""}, nil, map[string]string{"cargo/config.toml": ".cargo/config.toml", "cargo/credentials.toml": ".cargo/credentials.toml"}},
		"moved":  {map[string]string{"c/config.toml": ""}, []string{"CARGO_HOME=HOME/c"}, map[string]string{"cargo/config.toml": "c/config.toml"}},
		"gradle": {map[string]string{".gradle/gradle.properties": "", ".gradle/init.d/a.gradle": ""}, nil, map[string]string{"gradle/gradle.properties": ".gradle/gradle.properties", "gradle/init.d": ".gradle/init.d"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, top := t.TempDir(), t.TempDir()
			files(t, home, c.files)
			environ := []string{"HOME=" + home}
			for _, entry := range c.environ {
				environ = append(environ, strings.ReplaceAll(entry, "=HOME", "="+home))
			}
			for range 2 {
				if err := linkSettings(top, environ); err != nil {
					t.Fatal(err)
				}
			}
			got, err := filepath.Glob(top + "/*/*")
			if err != nil || len(got) != len(c.want) {
				t.Errorf("%q, %v, want %d links", got, err, len(c.want))
			}
			for link, to := range c.want {
				if at, err := os.Readlink(filepath.Join(top, link)); err != nil || at != filepath.Join(home, to) {
					t.Errorf("%s leads to %q, %v", link, at, err)
				}
			}
		})
	}
	if err := linkSettings(t.TempDir(), nil); err != nil {
		t.Errorf("without a home folder: %v", err)
	}
}

// TestGitEnv: settings of git in the environment are kept, and continued.
func TestGitEnv(t *testing.T) {
	t.Parallel()
	for count, want := range map[string]string{
		"":                       "GIT_CONFIG_KEY_0=gc.auto GIT_CONFIG_VALUE_0=0 GIT_CONFIG_KEY_1=maintenance.auto GIT_CONFIG_VALUE_1=false GIT_CONFIG_KEY_2=core.fsmonitor GIT_CONFIG_VALUE_2=false GIT_CONFIG_COUNT=3",
		"2":                      "GIT_CONFIG_KEY_2=gc.auto GIT_CONFIG_VALUE_2=0 GIT_CONFIG_KEY_3=maintenance.auto GIT_CONFIG_VALUE_3=false GIT_CONFIG_KEY_4=core.fsmonitor GIT_CONFIG_VALUE_4=false GIT_CONFIG_COUNT=5",
		"-1":                     "",
		"many":                   "",
		"9999999999999999999999": "",
	} {
		if got := strings.Join(gitEnv([]string{"GIT_CONFIG_COUNT=" + count}, nil), " "); got != want {
			t.Errorf("%q: %s", count, got)
		}
	}
}
