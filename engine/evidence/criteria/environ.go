package criteria

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/store/disk"
	"chant/providers"
	"chant/providers/secret"
)

// Scrub reduces an environment to what commands get: the variables of the built-in
// list and those named in pass, without secrets among the settings of git. It removes and returns the folders of PATH that are in one of the trees or
// are not absolute: an agent could put a program there in place of a tool.
func Scrub(environ, pass, trees []string) (env, dropped []string) {
	known := append(providers.Everyday(), pass...)
	for _, entry := range providers.WithoutSecretSettings(environ) {
		name, value, _ := strings.Cut(entry, "=")
		if !providers.NameAmong(name, known) {
			continue
		}
		// An agent could put a program into a folder of its tree in place of a tool.
		if providers.NameAmong(name, []string{"PATH"}) {
			value, dropped = splitPath(value, trees)
		}
		env = append(env, name+"="+value)
	}
	return env, dropped
}

// splitPath removes from a PATH the folders that may be in one of the trees: by their path or by where their links lead,
// since an agent can change the links in its tree.
func splitPath(path string, trees []string) (kept string, dropped []string) {
	real := make([]string, len(trees))
	for i, tree := range trees {
		real[i] = disk.RealPath(tree)
	}
	var folders []string
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) || inOneOf(real, folder) {
			dropped = append(dropped, folder)
			continue
		}
		folders = append(folders, folder)
	}
	return strings.Join(folders, string(filepath.ListSeparator)), dropped
}

// inOneOf reports whether a folder is in one of these trees, whose links are resolved.
func inOneOf(trees []string, folder string) bool {
	leads := disk.RealPath(folder)
	return slices.ContainsFunc(trees, func(tree string) bool {
		// By both paths, since an agent can change the links in its tree.
		for _, at := range []string{folder, leads} {
			if rel, err := filepath.Rel(tree, at); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
		return false
	})
}

// resolve returns the values of variables in the tree. A value that begins with "$ " is replaced by the
// first line that this command prints there, such as the version of a tool. Each
// command runs once.
func (c *checker) resolve(ctx context.Context, at *spot, vars map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		line, asks := strings.CutPrefix(vars[name], "$ ")
		if !asks {
			out[name] = vars[name]
			continue
		}
		said, err := c.ask(ctx, at, line)
		if err != nil {
			return nil, err
		}
		out[name] = said
	}
	return out, nil
}

// ask runs a command and returns the first line that it prints.
func (c *checker) ask(ctx context.Context, at *spot, line string) (string, error) {
	// Held while the command runs, so that each command runs once.
	c.mu.Lock()
	defer c.mu.Unlock()
	if said, known := c.facts[line]; known {
		return said, nil
	}
	if err := at.restore(ctx); err != nil {
		return "", err
	}
	dir, why := folder(at.Tree, at.Folder)
	if why != "" {
		return "unknown: " + why, nil
	}
	at.used = true
	first := &firstLine{}
	res, err := providers.RunCommand(ctx, providers.Command{
		Line: line, Dir: dir, Env: slices.Concat(c.Env, at.Own), Timeout: c.Timeout, RunID: c.RunID, Output: first, Secrets: secret.From(slices.Concat(c.Hide, c.Env)...),
		Wall: at.Wall,
	})
	if err != nil {
		return "", err
	}
	said := strings.TrimSpace(first.text)
	if res.ExitCode != 0 || res.TimedOut {
		said = fmt.Sprintf("unknown: `%s` exited with %d", line, res.ExitCode)
	}
	c.facts[line] = said
	return said, nil
}

// firstLine keeps the first line that is written to it, at most 200 bytes.
type firstLine struct {
	text string
	done bool
}

// Write implements io.Writer; it never fails.
func (f *firstLine) Write(p []byte) (int, error) {
	if !f.done {
		line, _, ended := strings.Cut(f.text+string(p), "\n")
		f.text = strings.ToValidUTF8(line[:min(len(line), 200)], "")
		f.done = ended || len(line) >= 200
	}
	return len(p), nil
}
