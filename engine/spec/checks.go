package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chant/engine/spec/fileset"

	"go.yaml.in/yaml/v3"
)

// Command is one command under `verify` of a spec or of the settings: it checks the work as a whole.
type Command struct {
	Run            string `json:"run"`
	Name           string `json:"name,omitempty"` // for reports; if empty they name the command itself
	Rule           string `yaml:"-" json:"-"`     // the file of rules that it is from, "" for one under `verify`
	CommandOptions `yaml:",inline"`
}

// CommandOptions are the settings for running commands. A command inherits what it does not set from its spec, and a
// spec from the project.
type CommandOptions struct {
	Timeout  Span              `yaml:"timeout" json:"timeout,omitempty"`   // of each command
	Dir      string            `yaml:"dir" json:"dir,omitempty"`           // slash-separated, from the top of the tree
	Env      map[string]string `yaml:"env" json:"env,omitempty"`           // a value "$ command" is replaced with the first line that the command prints
	Retries  *int              `yaml:"retries" json:"retries,omitempty"`   // further tries after a failure
	Repeat   *int              `yaml:"repeat" json:"repeat,omitempty"`     // how often a command must pass
	Parallel *bool             `yaml:"parallel" json:"parallel,omitempty"` // run commands at the same time
	Network  Network           `yaml:"network" json:"network,omitempty"`   // what commands may connect to, where they run in a sandbox
	Inputs   StringList        `yaml:"inputs" json:"inputs,omitempty"`     // globs of the files that a command depends on, or InputsAuto; none = all files
}

// InputsAuto stands for the inputs that chant derives from a command and the files of a tree.
const InputsAuto = "auto"

// Checks is the value of the key `verify`, in a spec or in config.md.
type Checks struct {
	Commands       []Command     `json:"commands,omitempty"` // `commands` of a spec, `defaults` of the project
	CommandOptions               // for these commands and those of the criteria
	Protect        StringList    `json:"protect,omitempty"`                      // globs of files that a run must not change
	Pass           VariableNames `json:"pass,omitempty"`                         // environment variables that commands get in addition to the built-in ones; only in config.md
	Require        bool          `json:"require,omitempty"`                      // a spec with nothing to verify does not land; only in config.md
	Weakened       Weakened      `json:"weakened,omitempty"`                     // what follows from checks that a run weakens; only in config.md
	RedFirst       RedFirst      `yaml:"red_first" json:"red_first,omitempty"`   // what becomes of a spec whose criteria held before the work; only in config.md
	Prove          ProveBudget   `json:"prove,omitempty"`                        // how long the strength of criteria is measured; only in config.md
	ProveWhen      ProveWhen     `yaml:"prove_when" json:"prove_when,omitempty"` // whether before or after the landing; only in config.md
	Since          Moment        `json:"since,omitempty"`                        // specs that were completed before are not verified with all others; only in config.md
	Rules          Rules         `yaml:"-" json:"-"`                             // of the project, beside its settings; empty for a spec
}

// Checks returns the value of the spec's key `verify`, empty without that key.
func (s *Spec) Checks() Checks {
	if s.Fields.Verify == nil {
		return Checks{}
	}
	return *s.Fields.Verify
}

// OfSettings lists the keys that are set and have an effect in the settings alone.
func (c Checks) OfSettings() []string {
	raw, err := json.Marshal(c)
	var set map[string]any
	if err != nil || json.Unmarshal(raw, &set) != nil {
		// It cannot fail: a spec that has been read has only values that JSON has.
		return nil
	}
	var out []string
	for _, k := range verifyKeys() {
		name := strings.TrimPrefix(k.Name, "verify.")
		if _, has := set[name]; has && k.By == BySettings {
			out = append(out, name)
		}
	}
	return out
}

// OwnChecks reports whether the spec itself has a criterion or a command, also if its criteria have not been counted.
// Commands of the project do not count.
func (s *Spec) OwnChecks() bool {
	return len(s.Checks().Commands) > 0 || s.content.criteria() != 0
}

// Span is a duration as it is written in settings: 90s, 10m, 1h30m.
type Span time.Duration

// UnmarshalYAML reads a duration above zero; its error names the line.
func (s *Span) UnmarshalYAML(node *yaml.Node) error {
	v, err := time.ParseDuration(node.Value)
	// A duration of 0 is the one that is not set.
	if err != nil || v <= 0 {
		return faults{fmt.Sprintf("line %d: invalid duration %q (use 90s, 10m or 1h30m)", node.Line, node.Value)}.err()
	}
	*s = Span(v)
	return nil
}

// Moment is a day or a time in settings: 2026-11-01, or a time of RFC 3339; "" is none.
type Moment string

// UnmarshalYAML reads a day or a time; its error names the line.
func (m *Moment) UnmarshalYAML(node *yaml.Node) error {
	*m = Moment(node.Value)
	if *m != "" && m.Time().IsZero() {
		return faults{fmt.Sprintf("line %d: invalid time %q (use a day such as 2026-11-01, or a time of RFC 3339)", node.Line, node.Value)}.err()
	}
	return nil
}

// RedFirst says what becomes of a spec of which no criterion has failed without the work; "" is RedReport.
type RedFirst string

// What becomes of it.
const (
	RedReport  RedFirst = "report"  // it lands, and its evidence says so
	RedRequire RedFirst = "require" // it does not land
	RedOff     RedFirst = "off"     // commands run only with the work
)

// UnmarshalYAML reads one of the three words; its error names the line. YAML reads a bare off as a boolean, here as a word.
func (r *RedFirst) UnmarshalYAML(node *yaml.Node) error {
	return readWord(node, "red_first", r, RedReport, RedRequire, RedOff)
}

// readWord reads one of several words, at least two.
func readWord[W ~string](node *yaml.Node, key string, into *W, words ...W) error {
	if *into = W(node.Value); node.Kind == yaml.ScalarNode && slices.Contains(words, *into) {
		return nil
	}
	use := string(words[0])
	for i, word := range words[1:] {
		if i == len(words)-2 {
			use += " or " + string(word)
		} else {
			use += ", " + string(word)
		}
	}
	return faults{fmt.Sprintf("line %d: invalid %s %q (use %s)", node.Line, key, node.Value, use)}.err()
}

// Network says what the commands of criteria may connect to.
type Network string

// The values of verify.network.
const (
	NetworkIfNeeded Network = ""         // to their own processes; to everything only if they ask for more
	NetworkOff      Network = "off"      // to nothing
	NetworkLoopback Network = "loopback" // to their own processes
	NetworkAll      Network = "all"      // to everything that the sandbox allows
)

// UnmarshalYAML reads one of the three words; its error names the line. YAML reads a bare off as a boolean, here as a word.
func (n *Network) UnmarshalYAML(node *yaml.Node) error {
	return readWord(node, "network", n, NetworkOff, NetworkLoopback, NetworkAll)
}

// ProveBudget says how long a run measures which wrong versions of its work the criteria notice: a duration, or one of the
// words; "" is ProveOff.
type ProveBudget string

// The words.
const (
	ProveOff ProveBudget = "off"
	ProveAll ProveBudget = "all" // as long as it takes
)

// IsOff reports whether nothing is measured.
func (b ProveBudget) IsOff() bool { return b == "" || b == ProveOff }

// UnmarshalYAML reads a duration above zero or one of the words; its error names the line.
func (b *ProveBudget) UnmarshalYAML(node *yaml.Node) error {
	// Some editors write an unquoted off back as false or no.
	if *b = ProveBudget(node.Value); node.Value == "false" || node.Value == "no" {
		*b = ProveOff
	}
	limit, err := time.ParseDuration(node.Value)
	if *b != ProveOff && *b != ProveAll && (err != nil || limit <= 0) {
		return faults{fmt.Sprintf("line %d: invalid prove %q (use off, all, or a duration such as 30s or 5m)", node.Line, node.Value)}.err()
	}
	return nil
}

// ProveWhen says when that is measured; "" is ProveAfter.
type ProveWhen string

// The values of verify.prove_when.
const (
	ProveBefore ProveWhen = "before" // the landing, whose evidence has it
	ProveAfter  ProveWhen = "after"  // the landing, to whose evidence it is added
)

// UnmarshalYAML reads one of the values; its error names the line.
func (w *ProveWhen) UnmarshalYAML(node *yaml.Node) error {
	return readWord(node, "prove_when", w, ProveBefore, ProveAfter)
}

// Guards are the criteria that hold before the work, by their numbers, or the word all.
type Guards []string

// Covers reports whether the criterion of a number is one of them.
func (g Guards) Covers(number int) bool {
	return slices.Contains(g, strconv.Itoa(number)) || slices.Contains(g, "all")
}

// UnmarshalYAML reads a number, a list of numbers, or the word all; its error names the line.
func (g *Guards) UnmarshalYAML(node *yaml.Node) error {
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	*g = Guards{}
	for _, item := range items {
		n, err := strconv.Atoi(item.Value)
		if item.Value != "all" && (err != nil || n < 1) {
			return faults{fmt.Sprintf("line %d: invalid guards %q (use numbers of criteria, such as [1, 3], or all)", item.Line, item.Value)}.err()
		}
		*g = append(*g, item.Value)
	}
	return nil
}

// Time is the moment, the zero time for none. A day begins at midnight UTC.
func (m Moment) Time() time.Time {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, string(m)); err == nil {
			return at
		}
	}
	return time.Time{}
}

// Weakened says what follows from checks that a run weakens.
type Weakened string

// The values of verify.weakened.
const (
	WeakenedByKind Weakened = ""       // ask about tests and what criteria run, report the rest
	WeakenedOff    Weakened = "off"    // they are not looked for
	WeakenedReport Weakened = "report" // they are named
	WeakenedAsk    Weakened = "ask"    // the run waits until a person accepts them
	WeakenedRefuse Weakened = "refuse" // the work does not land
)

// UnmarshalYAML reads one of the values; its error names the line.
func (w *Weakened) UnmarshalYAML(node *yaml.Node) error {
	// Some editors write an unquoted off back as false or no.
	if *w = Weakened(node.Value); node.Value == "false" || node.Value == "no" {
		*w = WeakenedOff
	}
	if !slices.Contains([]Weakened{WeakenedOff, WeakenedReport, WeakenedAsk, WeakenedRefuse}, *w) {
		return faults{fmt.Sprintf("line %d: unknown value %q of weakened (one of off, report, ask, refuse)", node.Line, node.Value)}.err()
	}
	return nil
}

// MarshalJSON writes it as it is read.
func (s Span) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%q", time.Duration(s)), nil }

// UnmarshalYAML accepts one command, a list of commands, or a mapping with `commands` (or `defaults`) and settings. Its
// error lists every mistake with its line.
func (c *Checks) UnmarshalYAML(node *yaml.Node) error {
	// A mapping with `run` is one command; any other mapping holds the settings.
	if node.Kind != yaml.MappingNode || hasKey(node, "run") {
		return decodeChecks(node, &c.Commands)
	}
	var wrong faults
	wrong.add(checkKeys(node, "verify", keysIn("verify")))
	// A decoder into an empty struct accepts every key, but reports duplicate ones.
	wrong.add(node.Decode(&struct{}{}))
	var commands, defaults yaml.Node
	into := map[string]any{
		"commands": &commands, "defaults": &defaults, "protect": &c.Protect, "pass": &c.Pass, "require": &c.Require, "since": &c.Since, "red_first": &c.RedFirst, "weakened": &c.Weakened,
		"prove": &c.Prove, "prove_when": &c.ProveWhen,
		"timeout": &c.Timeout, "dir": &c.Dir, "env": &c.Env, "retries": &c.Retries, "repeat": &c.Repeat, "parallel": &c.Parallel, "network": &c.Network,
		"inputs": &c.Inputs,
	}
	// The values are decoded one by one, so that every invalid one is reported.
	for i := 0; i+1 < len(node.Content); i += 2 {
		if at, known := into[node.Content[i].Value]; known {
			wrong.add(node.Content[i+1].Decode(at))
		}
	}
	for _, name := range c.Pass {
		// What is passed on would replace the variable that chant sets.
		if isChantVariable(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: pass: chant itself sets %s for each run", lineOf(node, "pass", name), name))
		}
	}
	wrong.add(c.checkProtected(node))
	for _, list := range []*yaml.Node{&defaults, &commands} {
		wrong.add(decodeChecks(list, &c.Commands))
	}
	wrong.add(c.CommandOptions.check(node))
	return wrong.err()
}

// decodeChecks reads one command or a list of them.
func decodeChecks(node *yaml.Node, into *[]Command) error {
	items := []*yaml.Node{node}
	switch {
	case node.Kind == 0 || node.Tag == "!!null":
		// The key may have been left out.
		return nil
	case node.Kind == yaml.SequenceNode:
		items = node.Content
	}
	var wrong faults
	for _, item := range items {
		var c Command
		wrong.add(item.Decode(&c))
		*into = append(*into, c)
	}
	return wrong.err()
}

// UnmarshalYAML accepts a command, with or without a leading "$ ", or a mapping with `run`.
func (c *Command) UnmarshalYAML(node *yaml.Node) error {
	var wrong faults
	if node.Kind == yaml.ScalarNode {
		c.Run = node.Value
	} else {
		wrong.add(checkKeys(node, "a command of verify", keysIn("verify.commands")))
		if node.Kind != yaml.MappingNode {
			return wrong.err()
		}
		// The type has no methods, so decoding does not call this function again.
		type plain Command
		wrong.add(node.Decode((*plain)(c)))
	}
	// Criteria mark a command by "$ ", and people write the same here.
	c.Run = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.Run), "$ "))
	// Another kind of node was reported by the decoder already.
	if run := valueOf(node, "run"); (c.Run == "" || c.Run == "$") && (run == nil || run.Kind == yaml.ScalarNode) {
		wrong = append(wrong, fmt.Sprintf("line %d: a command of verify is empty", node.Line))
	}
	wrong.add(c.check(node))
	return wrong.err()
}

// check reports invalid values that the YAML decoder accepts; node is the mapping that they come from.
func (w CommandOptions) check(node *yaml.Node) error {
	var wrong faults
	// Commands run in a worktree; outside of it they would check and change something else.
	if w.Dir != "" && !IsInside(w.Dir) {
		wrong = append(wrong, fmt.Sprintf("line %d: dir %q leaves the repository", lineOf(node, "dir", w.Dir), w.Dir))
	}
	if w.Retries != nil && (*w.Retries < 0 || *w.Retries > 10) {
		wrong = append(wrong, fmt.Sprintf("line %d: retries is a number from 0 to 10", lineOf(node, "retries", strconv.Itoa(*w.Retries))))
	}
	if w.Repeat != nil && (*w.Repeat < 1 || *w.Repeat > 100) {
		wrong = append(wrong, fmt.Sprintf("line %d: repeat is a number from 1 to 100", lineOf(node, "repeat", strconv.Itoa(*w.Repeat))))
	}
	for _, glob := range w.Inputs {
		// One that matches nothing would save checks that must run.
		fault := fileset.Fault(glob)
		if strings.HasPrefix(glob, "!") {
			fault = `begins with "!": globs only add files`
		}
		if fault != "" {
			wrong = append(wrong, fmt.Sprintf("line %d: inputs: %q %s", lineOf(node, "inputs", glob), glob, fault))
		}
	}
	// Errors come in the same order each time.
	for _, name := range slices.Sorted(maps.Keys(w.Env)) {
		// The operating system cannot store such a name.
		if name == "" || strings.ContainsAny(name, "=\x00") {
			wrong = append(wrong, fmt.Sprintf("line %d: invalid environment variable name %q", lineOf(node, "env", name), name))
		}
		if isChantVariable(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: env: chant itself sets %s for each run", lineOf(node, "env", name), name))
		}
	}
	return wrong.err()
}

// IsInside reports whether a relative path stays below the folder that it starts from.
func IsInside(dir string) bool {
	// A spec may be written on Windows and run elsewhere.
	clean := path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	// A colon is part of a drive such as C:, which path does not know.
	return !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../") && !strings.Contains(clean, ":")
}

// WithDefaults returns around with the settings of w in place of those that w sets. Variables are merged by name.
func (w CommandOptions) WithDefaults(around CommandOptions) CommandOptions {
	out := around
	if w.Timeout != 0 {
		out.Timeout = w.Timeout
	}
	if w.Dir != "" {
		out.Dir = w.Dir
	}
	if w.Retries != nil {
		out.Retries = w.Retries
	}
	if w.Repeat != nil {
		out.Repeat = w.Repeat
	}
	if w.Parallel != nil {
		out.Parallel = w.Parallel
	}
	if w.Network != NetworkIfNeeded {
		out.Network = w.Network
	}
	if len(w.Inputs) > 0 {
		out.Inputs = w.Inputs
	}
	if len(w.Env) > 0 {
		// Writing into the map of the project would change it for every other spec.
		out.Env = map[string]string{}
		for _, from := range []map[string]string{around.Env, w.Env} {
			for k, v := range from {
				out.Env[k] = v
			}
		}
	}
	return out
}

// checkProtected reports entries of `protect` that cannot match any file.
func (c *Checks) checkProtected(node *yaml.Node) error {
	var wrong faults
	for _, entry := range c.Protect {
		// An entry that matches nothing would look like protection and give none.
		if fault := fileset.Fault(entry); fault != "" {
			wrong = append(wrong, fmt.Sprintf("line %d: protect: %q %s", lineOf(node, "protect", entry), entry, fault))
		}
	}
	return wrong.err()
}

// VariableNames are names of environment variables that are passed on. A * at the end of a name matches any rest.
type VariableNames []string

// passedName is the form of such a name. It allows more than VariableName, as operating systems do.
var passedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^=*\s\x00]*\*?$`)
})

// VariableName reports whether a shell can set a variable of this name.
func VariableName(name string) bool {
	digit := func(r rune) bool { return r >= '0' && r <= '9' }
	other := func(r rune) bool { return !digit(r) && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }
	return name != "" && !digit(rune(name[0])) && !strings.ContainsFunc(name, other)
}

// UnmarshalYAML reads the same forms as StringList. Its error lists each invalid name with its line.
func (v *VariableNames) UnmarshalYAML(node *yaml.Node) error {
	var names StringList
	if err := names.UnmarshalYAML(node); err != nil {
		return err
	}
	var wrong faults
	for i, name := range names {
		if name == "" || !passedName().MatchString(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: pass: invalid environment variable name %q (a * may end it)", lineOfItem(node, i), name))
		}
	}
	if err := wrong.err(); err != nil {
		// The names that were set before remain if one of these is invalid.
		return err
	}
	*v = VariableNames(names)
	return nil
}

// isChantVariable reports whether chant itself sets variables with this prefix for runs.
func isChantVariable(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "CHANT_") }
