package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/engine/store/shape"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Schema is the schema of config.md and of the front matter of specs.
func Schema() shape.Schema {
	// One line, the fence, is above the YAML.
	s := shape.Schema{Rules: Rules(), Known: olderKeys(), Former: formerKeys(), Above: 1}
	shape.Outline[spec.Checks, checksForm](&s)
	shape.Outline[commandList, []spec.Command](&s)
	shape.Outline[spec.Command, commandForm](&s)
	shape.Outline[SandboxConfig, sandboxForm](&s)
	shape.Outline[DerivedKeys, map[string]derivedForm](&s)
	return s
}

// olderKeys are keys that the older chant reads and that are harmless here.
func olderKeys() []string {
	return []string{"silent", "site", "project.silent", "defaults.create_branch"}
}

// formerKeys are keys of earlier versions that do nothing any more.
func formerKeys() []string { return []string{"worktree.recycle", "worktree.spares"} }

// commandForm has the keys of a command under verify.
type commandForm struct {
	Run                 string `yaml:"run"`
	Name                string `yaml:"name"`
	spec.CommandOptions `yaml:",inline"`
}

// commandList is a list of commands, or one.
type commandList []spec.Command

// UnmarshalYAML implements yaml.Unmarshaler as spec.Checks decodes such a list.
func (l *commandList) UnmarshalYAML(node *yaml.Node) error {
	var c spec.Checks
	err := c.UnmarshalYAML(node)
	*l = c.Commands
	return err
}

// checksForm has the keys of verify, which may be a single command.
type checksForm struct {
	Commands    commandList      `yaml:"commands"`
	Defaults    commandList      `yaml:"defaults"`
	Protect     spec.StringList  `yaml:"protect"`
	Pass        spec.StringList  `yaml:"pass"`
	Require     bool             `yaml:"require"`
	RedFirst    spec.RedFirst    `yaml:"red_first"`
	Since       spec.Moment      `yaml:"since"`
	Weakened    spec.Weakened    `yaml:"weakened"`
	Prove       spec.ProveBudget `yaml:"prove"`
	ProveWhen   spec.ProveWhen   `yaml:"prove_when"`
	commandForm `yaml:",inline"`
}

// ReadConfig reads the settings of the project at home, and those of the user and the agents beside them; no file means
// defaults.
func ReadConfig(home string, environ []string) (*Config, error) {
	c := DefaultConfig(home)
	if err := c.readUser(environ, true); err != nil {
		return nil, err
	}
	src, err := configSource(home)
	if err != nil {
		return nil, err
	}
	if err := c.Read(src, home); err != nil {
		return nil, err
	}
	return c, c.readAgents(home, true)
}

// ReadWhatFits reads settings that may be broken: it keeps what is right in them, and in Faults and Broken what is
// wrong.
func ReadWhatFits(home string, environ []string) (*Config, error) {
	c := DefaultConfig(home)
	if err := c.readUser(environ, false); err != nil {
		return nil, err
	}
	src, err := configSource(home)
	if err != nil {
		return nil, err
	}
	c.root, c.Faults, c.Broken = read(store.ConfigPath, src, c, Schema())
	c.checkDir(home)
	// Defaults are filled in after reading, because an empty text in the file means the default too.
	c.complete(home)
	return c, c.readAgents(home, false)
}

// configSource is the text of config.md, none without the file.
func configSource(home string) ([]byte, error) {
	src, err := store.ReadFile(home, store.ConfigPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}

// Read reads the text of a config.md. Error: the first wrong value, with path and line.
func (c *Config) Read(src []byte, home string) (err error) {
	// Strict: settings that would be applied in part could lift a gate without a sign.
	s := Schema()
	s.Strict = true
	if c.root, c.Faults, err = read(store.ConfigPath, src, c, s); err == nil {
		c.checkDir(home)
		err = firstWrong(store.ConfigPath, c.Faults)
	}
	if err != nil {
		return err
	}
	c.complete(home)
	return nil
}

// read reads the front matter of a file into a value. Error: the file has no readable front matter.
func read[T any](path string, src []byte, into *T, s shape.Schema) (root yaml.Node, faults []shape.Fault, err error) {
	doc, err := markdown.Parse(path, src)
	if err == nil {
		err = doc.Decode(&root)
	}
	if err != nil {
		return root, nil, err
	}
	// Before anything else, since what follows may be what this version misreads.
	if err := checkFormat(path, &root); err != nil {
		return root, nil, err
	}
	faults = shape.Read(&root, into, s)
	for i := range faults {
		// Where a key is a limit or a gate, one that does nothing would lift it without a sign.
		if f := &faults[i]; f.Unknown && !f.Former && isGate(f.Key) {
			// The message names the key.
			f.Unknown, f.Key = false, ""
		}
	}
	return root, faults, nil
}

// checkFormat refuses the settings of a newer chant. Other wrong values are reported with their line.
func checkFormat(path string, root *yaml.Node) error {
	var f struct {
		Format int `yaml:"format"`
	}
	if root.Decode(&f) == nil && f.Format > local.SettingsFormat {
		return &local.FormatError{What: path, Has: f.Format, Max: local.SettingsFormat}
	}
	return nil
}

// isGate reports whether an unknown key is below a section that limits what agents may do or what lands, or is such a
// section, misspelled.
func isGate(key string) bool {
	gates := []string{"approval", "sandbox", "evidence", "limits", "verify"}
	if section, _, below := strings.Cut(key, "."); below {
		return slices.Contains(gates, section)
	}
	return slices.ContainsFunc(gates, func(gate string) bool {
		return spec.EditDistance(spec.SortedLetters(key), gate) <= max(1, len(key)/4)
	})
}

// firstWrong is the first wrong value as an error that counts the others, nil without one.
func firstWrong(path string, faults []shape.Fault) error {
	// An unknown key does nothing, so only lint reports it.
	wrong := slices.DeleteFunc(slices.Clone(faults), func(f shape.Fault) bool { return f.Unknown })
	if len(wrong) == 0 {
		return nil
	}
	msg := wrong[0].Msg
	if len(wrong) > 1 {
		msg += fmt.Sprintf(" (and %d more)", len(wrong)-1)
	}
	return &markdown.SyntaxError{Path: path, Line: wrong[0].Line + 1, Msg: msg} // the fence
}

// checkDir adds the fault of a folder for worktrees that cannot hold them, and forgets that folder: one that is or contains
// the repository would be taken for the place of a run, and no shell expands its variables.
func (c *Config) checkDir(home string) {
	dir, why := c.Worktree.Dir, ""
	switch rest, below := strings.CutPrefix(dir, "~"); {
	case dir == "":
		return
	case strings.HasPrefix(dir, "$") || strings.HasPrefix(dir, "%"):
		why = "variables are not read here"
	case below && !strings.HasPrefix(rest, "/"):
		why = "only ~/ stands for a folder, that of your user"
	case runtime.GOOS != "windows" && driveLetter().MatchString(dir):
		why = "it begins with a drive of Windows"
	default:
		at := expandHome(dir)
		completePath(&at, home)
		if rel, err := filepath.Rel(filepath.Clean(at), filepath.Clean(home)); err == nil && filepath.IsLocal(rel) {
			why = "it is or contains the repository"
		}
	}
	if why == "" {
		return
	}
	c.Worktree.Dir = ""
	c.Faults = append(c.Faults, shape.Fault{
		Line: shape.Line(&c.root, "worktree", "dir"), Key: "worktree.dir", Msg: fmt.Sprintf("worktree.dir: %q cannot hold worktrees: %s (use a folder beside it, or one below ~/)", dir, why),
	})
}

// driveLetter matches the beginning of an absolute path of Windows.
var driveLetter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z]:[\\/]`) })

// complete replaces empty texts by their defaults, and takes from the keys of the older chant what chant's own do not
// say.
func (c *Config) complete(home string) {
	d := DefaultConfig(home)
	for _, text := range []struct{ have, want *string }{
		{&c.Project.Name, &d.Project.Name},
		{&c.Defaults.Provider, &d.Defaults.Provider},
		{&c.Defaults.Prompt, &d.Defaults.Prompt},
		{&c.Defaults.BranchPrefix, &d.Defaults.BranchPrefix},
	} {
		*text.have = cmp.Or(*text.have, *text.want)
	}
	c.Parallel.Rotation = cmp.Or(c.Parallel.Rotation, c.Defaults.Rotation)
	if c.Retry == nil {
		c.Retry = &c.Watch.Failure
	}
	completePath(&c.Fleet.Credentials, home)
	completePath(&c.Fleet.CA, home)
	if c.Fleet.Credentials != "" {
		c.Sandbox.Secrets = []string{c.Fleet.Credentials}
	}
	c.Worktree.Dir = expandHome(c.Worktree.Dir)
	for i := range c.Repos {
		c.Repos[i].Path = expandHome(c.Repos[i].Path)
	}
	completePath(&c.Worktree.Dir, home)
}

// Line is the line of the key to which these keys lead, or of the last of them that exists.
func (c *Config) Line(keys ...string) int { return shape.Line(&c.root, keys...) + 1 } // the fence

// IsFaulty reports whether a key of the settings, a key above it or one below it could not be read. Its value is then
// not one that a person has chosen.
func (c *Config) IsFaulty(key string) bool {
	return c.Broken != nil || slices.ContainsFunc(c.Faults, func(f shape.Fault) bool {
		return !f.Unknown && (f.Key == key || strings.HasPrefix(f.Key, key+".") || strings.HasPrefix(key, f.Key+"."))
	})
}
