package gitconfig

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Faithful returns the settings, and variables, with which git writes and compares files as the commit alone has them:
// links as links, no other line ends than those that the commit's own attributes ask for, and no attributes from outside
// of the repository. Its info/attributes, which no setting turns off, still counts.
func Faithful() (settings, env []string) {
	settings = []string{
		"core.autocrlf=false", "core.eol=native", "core.attributesFile=" + os.DevNull, "core.sparseCheckout=false",
		"core.fsmonitor=false", "core.untrackedCache=false", "core.ignoreStat=false", "core.trustctime=true", "core.checkStat=default",
	}
	// On Windows, people may not be allowed to make links.
	if runtime.GOOS != "windows" {
		settings = append(settings, "core.symlinks=true")
	}
	return settings, []string{"GIT_ATTR_NOSYSTEM=1"}
}

// Unfaithful lists the settings in force that would change what AddDetached writes if it heeded them, each as
// "key=value", and a file of attributes of the user.
func (s *Settings) Unfaithful(ctx context.Context) ([]string, error) {
	how, err := s.Summary(ctx)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(how.Unfaithful)
	// This file is read without any setting that names it, so the list of settings does not show it.
	folder := os.Getenv("XDG_CONFIG_HOME")
	if home, err := os.UserHomeDir(); folder == "" && err == nil {
		folder = filepath.Join(home, ".config")
	}
	if file := filepath.Join(folder, "git", "attributes"); folder != "" && !slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, "core.attributesfile=") }) {
		if info, err := os.Stat(file); err == nil && info.Size() > 0 {
			out = append(out, file)
		}
	}
	return out, nil
}

// unfaithful reports whether a setting could make a checkout write something else.
func unfaithful(key, value string) bool {
	value = strings.ToLower(value)
	switch key {
	case "core.autocrlf":
		// "input" changes only what is committed, not what a checkout writes.
		return value != "false" && value != "input"
	case "core.eol":
		return value != "native"
	case "core.symlinks":
		return runtime.GOOS != "windows" && value != "true"
	case "core.attributesfile":
		return value != ""
	case "core.sparsecheckout":
		return value != "false"
	}
	return false
}
