package providers

import (
	"runtime"
	"strings"
)

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

// working are the variables that an agent gets beside those of every day: who commits,
// how git reaches its remotes and signs, where settings lie, and what a person says to
// chant. They name sockets and programs, and hold no secret of their own.
func working() []string {
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
