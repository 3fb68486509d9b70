package providers

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/providers/secret"
)

// RunIDKey marks every process of a run, and LineageKey every process below
// one started process; both are inherited like any variable. Two are needed:
// the first is known to a later process that cleans up, the second keeps two
// commands of one run from ending each other's children.
const (
	RunIDKey   = "CHANT_RUN_ID"
	LineageKey = "CHANT_LINEAGE"

	lineageMark = "." // between the lineages of nested starts
)

// Folder is the folder in which the agent works.
func (in Invocation) Folder() string { return cmp.Or(in.Dir, in.Worktree) }

// AgentEnv is the environment of an agent: of the base what every program and every
// agent gets, and what pass and the run name, without what belongs to an enclosing agent
// or git process, and without secrets among the settings of git; then what the run says, then what the provider adds, then the caller's
// extras.
func AgentEnv(in Invocation, provider []string, pass ...string) []string {
	var env []string
	known := slices.Concat(Everyday(), agentVariables(), pass, in.Pass)
	for _, entry := range WithoutSecretSettings(in.Environ) {
		// A program that asked the agent's environment for chant's own token could act for the person.
		if key, _, ok := strings.Cut(entry, "="); ok && !describesParent(key) && NameAmong(key, known) && !isOwnSecret(key) {
			env = append(env, entry)
		}
	}
	env = append(env,
		"CHANT_SPEC_ID="+in.SpecID,
		"CHANT_SPEC_FILE="+in.SpecFile,
		"CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH="+in.Worktree,
		"CHANT_BRANCH="+in.Branch,
		"CHANT_PROMPT_FILE="+in.PromptFile,
		"CHANT_ATTEMPT="+strconv.Itoa(in.Attempt),
		"CHANT_TIMEOUT="+strconv.FormatInt(int64(in.Timeout/time.Second), 10),
		"CHANT_PROJECT="+in.Project,
		// Without it git would climb from a broken worktree to the main one.
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(in.Worktree),
		"PWD="+in.Folder(),
	)
	env = append(env, Unattended()...)
	env = append(env, provider...)
	env = append(env, in.Extra...)
	if in.RunID != "" {
		// Last, so that nothing above can take the mark off.
		env = append(env, RunIDKey+"="+in.RunID)
	}
	// Several entries of one name are read differently by programs, so only one is left.
	return keepLastOfEachKey(env)
}

// Unattended are the variables with which programs neither open an editor or a pager nor ask on a terminal: nobody would
// see it, and the program would wait until its time is up.
func Unattended() []string {
	return []string{
		"EDITOR=true", "VISUAL=true", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_MERGE_AUTOEDIT=no", "GIT_TERMINAL_PROMPT=0",
		"PAGER=cat", "CHANT_PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GH_PAGER=cat", "SYSTEMD_PAGER=cat", "AWS_PAGER=",
	}
}

// WithoutSecretSettings returns an environment without the settings of git that hold secrets, such as the header with which a
// person fetches. The others are numbered anew, since git takes none of them if a number is missing.
func WithoutSecretSettings(environ []string) []string {
	isSetting := func(entry string) bool {
		return NameAmong(envKey(entry), []string{"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*"})
	}
	if !slices.ContainsFunc(environ, isSetting) {
		return environ
	}
	kept := 0
	var settings []string
	count, err := strconv.Atoi(Variable(environ, "GIT_CONFIG_COUNT"))
	// The bound keeps a wrong count from making this loop for hours.
	for i := range min(count, 1000) {
		n := strconv.Itoa(i)
		key, value := Variable(environ, "GIT_CONFIG_KEY_"+n), Variable(environ, "GIT_CONFIG_VALUE_"+n)
		if key == "" || secret.InSetting(key, value) {
			continue
		}
		n = strconv.Itoa(kept)
		settings = append(settings, "GIT_CONFIG_KEY_"+n+"="+key, "GIT_CONFIG_VALUE_"+n+"="+value)
		kept++
	}
	// What no count covers is left out as well, since git does not read it and it may be a secret.
	out := slices.DeleteFunc(slices.Clone(environ), isSetting)
	if said := Variable(environ, "GIT_CONFIG_COUNT"); err != nil && said != "" {
		// Git refuses it.
		return append(out, "GIT_CONFIG_COUNT="+said)
	}
	return append(append(out, "GIT_CONFIG_COUNT="+strconv.Itoa(kept)), settings...)
}

// isOwnSecret reports whether a variable is a secret of chant itself, such as the token of its
// server.
func isOwnSecret(key string) bool { return strings.HasPrefix(key, "CHANT_") && secret.Named(key) }

// keepLastOfEachKey drops every entry that a later one of the same key replaces.
func keepLastOfEachKey(env []string) []string {
	last := make(map[string]int, len(env))
	for i, entry := range env {
		last[envKey(entry)] = i
	}
	kept := make([]string, 0, len(last))
	for i, entry := range env {
		if last[envKey(entry)] == i {
			kept = append(kept, entry)
		}
	}
	return kept
}

// Variable is the last value of a variable in an environment, "" without one.
func Variable(env []string, key string) string {
	want := envKey(key + "=")
	for i := len(env) - 1; i >= 0; i-- {
		if envKey(env[i]) == want {
			_, value, _ := strings.Cut(env[i], "=")
			return value
		}
	}
	return ""
}

func envKey(entry string) string {
	key, _, _ := strings.Cut(entry, "=")
	if runtime.GOOS == "windows" {
		return strings.ToUpper(key)
	}
	return key
}

// Everyday are the names of the variables that every program gets, also one that is
// checked or not trusted: what tools need to find themselves, their caches and the
// network. None of them is a secret. A * at the end of a name matches any suffix.
func Everyday() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOPROXY", "GONOSUMDB", "GOPRIVATE", "GOSUMDB", "GOTOOLCHAIN",
		"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "JAVA_HOME", "GRADLE_USER_HOME", "MAVEN_HOME", "ANDROID_HOME",
		"NVM_DIR", "NVM_BIN", "VOLTA_HOME", "PNPM_HOME", "COREPACK_HOME", "npm_config_cache", "NODE_EXTRA_CA_CERTS",
		"NPM_CONFIG_USERCONFIG", "npm_config_userconfig", "FNM_DIR", "FNM_MULTISHELL_PATH", "NODE_VERSION", "BUN_INSTALL", "PLAYWRIGHT_BROWSERS_PATH",
		"ASDF_DIR", "ASDF_DATA_DIR", "ASDF_CONFIG_FILE", "MISE_DATA_DIR", "MISE_CONFIG_DIR", "MISE_CACHE_DIR", "MISE_STATE_DIR", "MISE_ENV", "SDKMAN_DIR",
		"RBENV_VERSION", "PYENV_VERSION", "PYENV_ROOT", "PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_HOME", "RBENV_ROOT", "GEM_HOME", "DOTNET_ROOT",
		"HOMEBREW_PREFIX", "NIX_PATH", "NIX_SSL_CERT_FILE", "DOCKER_HOST",
		"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA",
		"ProgramData", "ProgramFiles", "ProgramFiles(x86)", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
		"LC_*",
	}
}

// agentVariables are the variables that an agent gets beside those of every day: who commits,
// how git reaches its remotes and signs, where settings lie, and what a person says to
// chant. They name sockets and programs, and hold no secret of their own.
func agentVariables() []string {
	return []string{
		"TERM", "COLORTERM", "NO_COLOR", "CI", "UMASK", "HOSTNAME", "IS_SANDBOX",
		"EMAIL", "GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_SSL_*", "GIT_HTTP_*", "GIT_PROXY_COMMAND",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*",
		"GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_CEILING_DIRECTORIES", "GIT_TRACE*",
		"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_TTY", "GNUPGHOME", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XAUTHORITY",
		"VSCODE_GIT_ASKPASS_*", "VSCODE_GIT_IPC_HANDLE", "DOCKER_CONFIG", "KUBECONFIG", "WAYLAND_DISPLAY",
		"XDG_STATE_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PKG_CONFIG_PATH",
		"CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "PIP_INDEX_URL", "CARGO_TARGET_DIR", "GOFLAGS", "GOENV", "GONOPROXY", "GOINSECURE", "GOOS", "GOARCH", "CGO_ENABLED", "GOEXPERIMENT", "GOMAXPROCS", "GOBIN", "GOWORK", "NODE_OPTIONS", "NODE_PATH", "NODE_ENV", "npm_config_registry", "NPM_CONFIG_REGISTRY",
		"VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYTHONPATH", "PYTHONHOME", "RUSTFLAGS", "RUST_BACKTRACE", "MAKEFLAGS", "CC", "CXX", "CFLAGS", "LDFLAGS",
		"CPATH", "LIBRARY_PATH", "CMAKE_PREFIX_PATH", "RUSTC_WRAPPER", "CCACHE_DIR", "JAVA_TOOL_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "ANDROID_SDK_ROOT",
		"CHANT_*",
	}
}

// NameAmong reports whether a list of names has that of a variable. On Windows capitals
// do not matter.
func NameAmong(name string, list []string) bool {
	for _, known := range list {
		begin, any := strings.CutSuffix(known, "*")
		if runtime.GOOS == "windows" {
			begin, name = strings.ToUpper(begin), strings.ToUpper(name)
		}
		if name == begin || any && strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}
