package gitconfig

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// Apart returns settings with which git starts the programs of a person's checkout through another one, which gets the words
// of Unpack as arguments. They are those that git starts by itself while it compares and writes files or moves a ref:
// filters, drivers of merges, the file system monitor and some hooks.
func (s *Settings) Apart(ctx context.Context, dir string, program []string) ([][2]string, error) {
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	var out [][2]string
	// Git reads the last value of a setting, so an earlier one must not be put in its place.
	last := map[string]string{}
	for _, entry := range list {
		key, value, _ := strings.Cut(entry, "\n")
		last[key] = value
	}
	for key, command := range last {
		// The file of such a program, or one that it searches for, can be what has just landed, so it runs in the sandbox.
		if runsOnCheckout(key, command) && !isHarmless(command) {
			out = append(out, [2]string{key, wrapCommand(program, command, placesIn(key, command))})
		}
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	hooks := filepath.Join(s.Site.Common, "hooks")
	if value := last["core.hookspath"]; value != "" {
		hooks = fromTop(dir, value)
	}
	folder, err := s.apartHooks(hooks, program)
	// Git runs hooks of one folder only, so a folder with all of them stands in for the person's.
	if err == nil && folder != "" {
		out = append(out, [2]string{"core.hooksPath", folder})
	}
	return out, err
}

// runsOnCheckout reports whether the value of a setting is a command of that kind.
func runsOnCheckout(key, command string) bool {
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	switch {
	case command == "":
		return false
	case section == "filter":
		return name == "clean" || name == "smudge" || name == "process"
	case section == "merge":
		// The driver of chant runs nothing of the repository.
		return name == "driver" && key != "merge.chant-spec.driver"
	case section == "hook":
		return name == "command"
	case key == "core.fsmonitor":
		// A boolean chooses git's own monitor; anything else is the path of a program.
		return !slices.Contains([]string{"true", "false", "yes", "no", "on", "off", "1", "0"}, strings.ToLower(command))
	}
	return false
}

// isHarmless reports whether a command is one of an extension of git that runs nothing of the repository, and that keeps files
// in git's folder.
func isHarmless(command string) bool {
	words := strings.Fields(command)
	// With anything that a shell expands, or a path into the checkout, the words do not show what runs.
	if strings.ContainsAny(command, "\"'`$;&|<>()\\\n*?[") || len(words) == 0 || strings.Contains(words[0], "/") && !path.IsAbs(words[0]) {
		return false
	}
	name := path.Base(words[0])
	if name == "git" && len(words) > 1 {
		name += "-" + words[1]
	}
	return slices.Contains([]string{"cat", "git-lfs", "git-annex", "git-crypt"}, name)
}

// wrapCommand returns a command that has a program run another one. places are the letters of what git replaces in it.
func wrapCommand(program []string, command, places string) string {
	var words []string
	for _, word := range program {
		words = append(words, quote(word))
	}
	// In these letters, neither a shell nor git replaces anything.
	words = append(words, "-"+places, base64.RawURLEncoding.EncodeToString([]byte(command)))
	for _, letter := range places {
		words = append(words, "%"+string(letter))
	}
	return strings.Join(words, " ")
}

// placesIn returns the letters of what git replaces in the value of a setting: the path of the file, and what a driver merges.
func placesIn(key, command string) string {
	all := ""
	switch {
	case strings.HasSuffix(key, ".driver"):
		all = "OABLPSXY"
	case strings.HasSuffix(key, ".clean"), strings.HasSuffix(key, ".smudge"):
		all = "f"
	}
	return strings.Map(func(letter rune) rune {
		if strings.Contains(command, "%"+string(letter)) {
			return letter
		}
		return -1
	}, all)
}

// Program is a command that git starts through the program of Apart.
type Program struct {
	Command string   // with what git has replaced in it
	Args    []string // that git has added
	Result  string   // the file, relative to the folder, that a driver of merges writes; "" for others
}

// Unpack returns what Apart has passed on; ok is false for other words.
func Unpack(words []string) (p Program, ok bool) {
	if len(words) < 2 {
		return p, false
	}
	places, packed := strings.CutPrefix(words[0], "-")
	text, err := base64.RawURLEncoding.DecodeString(words[1])
	rest := words[2:]
	if !packed || err != nil || len(rest) < len(places) {
		return p, false
	}
	var filled []string
	for i, letter := range places {
		filled = append(filled, "%"+string(letter), quote(rest[i]))
		if letter == 'A' {
			p.Result = rest[i]
		}
	}
	if len(filled) > 0 {
		filled = append(filled, "%%", "%") // as git does
	}
	p.Command, p.Args = strings.NewReplacer(filled...).Replace(string(text)), rest[len(places):]
	return p, true
}

// quote returns a text as one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// apartHooks returns a folder with a script for each hook of another folder, of which those that git runs when it writes
// files or moves a ref run through the program; "" if there are none of these.
func (s *Settings) apartHooks(hooks string, program []string) (string, error) {
	entries, err := os.ReadDir(hooks)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	scripts, some := map[string]string{}, false
	for _, entry := range entries {
		at := filepath.Join(hooks, entry.Name())
		// Git does not run such a file either.
		info, err := os.Stat(at)
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 || strings.HasSuffix(entry.Name(), ".sample") {
			continue
		}
		// Every hook needs a script here, also one that runs as before: git looks into this folder alone.
		command := "exec " + quote(at)
		if RunsAtLanding(entry.Name()) {
			some = true
			command = "exec " + wrapCommand(program, command, "")
		}
		scripts[entry.Name()] = "#!/bin/sh\n" + command + " \"$@\"\n"
	}
	if !some {
		return "", nil
	}
	return s.keepScripts(scripts)
}

// keepScripts returns a folder that holds these scripts and nothing else. Its name is that of its content, so that nothing in
// it ever changes while git reads it.
func (s *Settings) keepScripts(scripts map[string]string) (string, error) {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		sum.Write([]byte(name + "\x00" + scripts[name] + "\x00"))
	}
	folder := filepath.Join(s.Site.Common, "chant", "hooks", hex.EncodeToString(sum.Sum(nil)[:8]))
	// The name is that of the content, so a folder that exists is complete.
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := layout.MkdirAll(filepath.Dir(folder)); err != nil {
		return "", err
	}
	// The folder is filled under another name and renamed, so that git never sees half of the hooks.
	made, err := os.MkdirTemp(filepath.Dir(folder), ".new-")
	if err != nil {
		return "", err
	}
	// After the rename it does not exist any more.
	defer os.RemoveAll(made)
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(made, name), []byte(text), 0o755); err != nil {
			return "", err
		}
	}
	// MkdirTemp makes folders that only their owner can read, but all users of the repository have these hooks.
	if err := os.Chmod(made, 0o755); err != nil {
		return "", err
	}
	// Another process that was faster has renamed a folder with the same content.
	if err := os.Rename(made, folder); err != nil {
		if _, there := os.Stat(folder); there == nil {
			return folder, nil
		}
		return "", err
	}
	return folder, nil
}
