package gitops

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// ignoreFiles lists the files of ignore rules that people change for a path in home.
func ignoreFiles(site *layout.Site, name string) []string {
	files := []string{filepath.Join(site.Common, "info", "exclude")}
	if folder := os.Getenv("XDG_CONFIG_HOME"); folder != "" {
		files = append(files, filepath.Join(folder, "git", "ignore"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".config", "git", "ignore"))
	}
	for at := path.Dir(name); ; at = path.Dir(at) {
		files = append(files, filepath.Join(site.Home, filepath.FromSlash(at), ".gitignore"))
		if at == "." {
			return files
		}
	}
}

// ignoreRules returns a digest of these files, and whether a rule in them could concern the path.
func ignoreRules(site *layout.Site, name string) (digest string, possible bool) {
	all := sha256.New()
	possible = !inPlainFolders(site.Home, name)
	for _, file := range ignoreFiles(site, name) {
		text, err := layout.ReadPlain(file)
		if err == nil {
			all.Write(text)
		}
		possible = possible || err != nil && !errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool { return mayIgnore(line, name) })
		all.Write([]byte{0})
	}
	return string(all.Sum(nil)), possible
}

// inPlainFolders reports whether all folders above a path in home are folders of this repository itself, as far as they
// exist.
func inPlainFolders(home, name string) bool {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		folder := filepath.Join(home, filepath.FromSlash(at))
		info, err := os.Lstat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !info.IsDir() {
			return false
		}
		if _, err := os.Lstat(filepath.Join(folder, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// mayIgnore reports whether a line of ignore rules could make git ignore a path. It returns true if in doubt: a rule
// concerns the path only if its last part matches the path's name or that of a folder above, so that the letters behind
// its last wildcard must end one of these names, and those before its first one must begin the same name.
func mayIgnore(line, name string) bool {
	line = strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), " \t\r")
	if line == "" || line[0] == '#' || line[0] == '!' {
		return false
	}
	const wild = `*?[]\`
	rule := strings.ToLower(strings.TrimRight(line, "/"))
	brackets := strings.Contains(rule, "[") // which may have a slash in them
	rule = rule[strings.LastIndexByte(rule, '/')+1:]
	first, last := strings.IndexAny(rule, wild), strings.LastIndexAny(rule, wild)
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		switch {
		case brackets && strings.HasSuffix(part, rule[last+1:]),
			!brackets && first < 0 && (rule == "" || rule == part),
			!brackets && first >= 0 && strings.HasPrefix(part, rule[:first]) && strings.HasSuffix(part, rule[last+1:]):
			return true
		}
	}
	return false
}
