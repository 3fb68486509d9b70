package cli

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"chant/providers"
)

// Placeholders are the names that the strings of a definition may hold in double braces.
// The format of a value follows a bar: {{worktree|json}} is a string of JSON and
// TOML, quotes included.
func Placeholders() []string { return slices.Sorted(maps.Keys(values(providers.Invocation{}))) }

// values are the values of the placeholders in a run; one without a value is empty.
func values(in providers.Invocation) map[string]string {
	return map[string]string{
		"prompt_file":   in.PromptFile,
		"spec_file":     in.SpecFile,
		"spec_id":       in.SpecID,
		"worktree":      in.Worktree,
		"branch":        in.Branch,
		"model":         in.Model,
		"session":       in.Session,
		"new_session":   newSession(in),
		"state_dir":     in.StateDir,
		"git_dir":       in.GitDir,
		"common_dir":    in.Common,
		"cache_dir":     cacheDir(in.Environ),
		"writable_dirs": writableDirs(in),
		"mcp_config":    "", // path of the config file, once it is written
		"mcp_inline":    "", // its content
	}
}

// writableDirs are the folders outside of the worktree that work writes to, as a list of
// JSON: those of git, and that of caches where it is there.
func writableDirs(in providers.Invocation) string {
	if in.Common == "" || in.GitDir == "" {
		return ""
	}
	dirs := []string{in.Common, in.GitDir}
	cache := cacheDir(in.Environ)
	// A folder that is named to codex without being there keeps every command from starting.
	if info, err := os.Stat(cache); err == nil && info.IsDir() {
		dirs = append(dirs, cache)
	}
	// A list of texts always encodes.
	list, _ := jsonLine(dirs)
	return list
}

// cacheDir returns the folder of programs for files that they can recreate.
func cacheDir(environ []string) string {
	for _, at := range []struct{ name, below, system string }{
		{"XDG_CACHE_HOME", "", ""}, {"LOCALAPPDATA", "", "windows"}, {"HOME", "Library/Caches", "darwin"}, {"HOME", ".cache", ""},
	} {
		if at.system != "" && at.system != runtime.GOOS {
			continue
		}
		if value := providers.Variable(environ, at.name); filepath.IsAbs(value) {
			return filepath.Join(value, filepath.FromSlash(at.below))
		}
	}
	return ""
}

// expand replaces every known placeholder of a template in one pass, so that a
// value that looks like a placeholder stays as it is.
func expand(template string, v map[string]string) string {
	return eachPlaceholder(template, func(name string) (string, bool) {
		name, form, _ := strings.Cut(name, "|")
		value, known := v[name]
		if form == "json" {
			return quoteJSON(value), known
		}
		return value, known
	})
}

// hasMissing reports whether a template has a placeholder without a value.
func hasMissing(template string, v map[string]string) bool {
	lacking := false
	eachPlaceholder(template, func(name string) (string, bool) {
		name, _, _ = strings.Cut(name, "|")
		lacking = lacking || v[name] == ""
		return "", false
	})
	return lacking
}

// unknownPlaceholders are those of a template that no run can fill.
func unknownPlaceholders(template string) []string {
	var unknown []string
	known := values(providers.Invocation{})
	eachPlaceholder(template, func(full string) (string, bool) {
		name, form, formed := strings.Cut(full, "|")
		if _, ok := known[name]; !ok || formed && form != "json" {
			unknown = append(unknown, full)
		}
		return "", false
	})
	return unknown
}

// eachPlaceholder calls value for every {{name}}, spaces around the name
// allowed, and puts its answer in the place unless value declines. Braces that
// never close are plain text.
func eachPlaceholder(template string, value func(name string) (string, bool)) string {
	var out strings.Builder
	for {
		before, rest, open := strings.Cut(template, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !open || !closed {
			out.WriteString(template)
			return out.String()
		}
		// A value is not looked at again, so that one that looks like a placeholder stays as it is.
		out.WriteString(before)
		if text, ok := value(strings.TrimSpace(name)); ok {
			out.WriteString(text)
		} else {
			out.WriteString("{{" + name + "}}")
		}
		template = after
	}
}
