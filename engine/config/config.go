package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"chant/engine/shape"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Config is the front matter of `.chant/config.md`.
type Config struct {
	Project struct {
		Name   string   `yaml:"name"`
		Prefix idPrefix `yaml:"prefix"` // in front of new ids
	} `yaml:"project"`
	Defaults struct {
		Provider     string          `yaml:"provider"`
		Model        string          `yaml:"model"`
		Prompt       string          `yaml:"prompt"`
		SplitModel   string          `yaml:"split_model"`       // of the agent that splits, instead of model
		Extensions   spec.StringList `yaml:"prompt_extensions"` // behind every prompt of a run
		BranchPrefix string          `yaml:"branch_prefix"`
		MainBranch   string          `yaml:"main_branch"` // the target; found when empty
		// Pass names variables of the environment that agents get beside the usual ones; a *
		// at the end of a name stands for any rest.
		Pass spec.VariableNames `yaml:"pass"`
		// Rotation is where the older chant has that of the pool.
		Rotation rotation `yaml:"rotation_strategy"`
	} `yaml:"defaults"`
	Limits   limitsConfig `yaml:"limits"`
	Prices   pricesConfig `yaml:"prices"`
	Worktree struct {
		Copy  spec.StringList `yaml:"copy"`  // globs of ignored files
		Link  spec.StringList `yaml:"link"`  // ignored paths
		Setup spec.StringList `yaml:"setup"` // commands
		Dir   string          `yaml:"dir"`   // instead of .chant/worktrees
		Ports portRange       `yaml:"ports"` // what CHANT_PORT_BASE is taken from

		Recycle bool  `yaml:"recycle"` // keep the trees of landed runs for the next ones
		Spares  Count `yaml:"spares"`  // at most so many, 4
	} `yaml:"worktree"`
	Verify     spec.Checks      `yaml:"verify"`
	Parallel   parallelConfig   `yaml:"parallel"`
	Approval   approvalConfig   `yaml:"approval"`
	Validation validationConfig `yaml:"validation"`
	Retry      *RetryConfig     `yaml:"retry"`
	Watch      struct {
		Failure RetryConfig `yaml:"failure"`              // where the older chant has Retry
		Poll    Interval    `yaml:"poll_interval_ms"`     // how often to look where no one tells of changes, 5000
		Idle    minutes     `yaml:"idle_timeout_minutes"` // with nothing to do, 0 = never ends, 5
	} `yaml:"watch"`

	Providers  loopConfigs      `yaml:"providers"`
	Lint       lintConfig       `yaml:"lint"`
	Enterprise enterpriseConfig `yaml:"enterprise"`

	root   yaml.Node     // the front matter, of what was right in it
	Faults []shape.Fault `yaml:"-"` // what means nothing; with readWhatFits also what does not fit
	Broken error         `yaml:"-"` // with readWhatFits: nothing of the file could be read
	Gates  error         `yaml:"-"` // likewise: why those of the target are not known
}

// portRange says from which TCP port on each run gets how many.
type portRange struct {
	Start int `yaml:"start"` // 20000
	Count int `yaml:"count"` // 20
}

func usualPorts() portRange { return portRange{Start: 20000, Count: 20} }

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (p *portRange) UnmarshalYAML(node *yaml.Node) error {
	type plain portRange
	*p = usualPorts()
	if err := node.Decode((*plain)(p)); err != nil {
		return err
	}
	if p.Start < 1024 || p.Count < 1 || p.Start+p.Count > 1<<16 {
		return fmt.Errorf("line %d: worktree.ports: %d ports from %d on do not lie between 1024 and 65535", node.Line, p.Count, p.Start)
	}
	return nil
}

// Duration reads "90s", "10m" or "1h30m".
type Duration time.Duration

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	if node.Value == "0" || node.Tag == "!!null" {
		*d = 0
		return nil
	}
	v, err := time.ParseDuration(node.Value)
	if err != nil || v < 0 {
		return fmt.Errorf("line %d: invalid duration %q (use 90s, 10m or 1h30m)", node.Line, node.Value)
	}
	*d = Duration(v)
	return nil
}

// DefaultConfig is what counts where the settings of the project at home say nothing.
func DefaultConfig(home string) *Config {
	c := &Config{}
	c.Project.Name = filepath.Base(home)
	c.Defaults.Provider = "claude"
	c.Defaults.Prompt = "standard"
	c.Defaults.BranchPrefix = "chant/"
	c.Watch.Poll = Interval(5 * time.Second)
	c.Watch.Idle = 5
	c.Limits.Time = Duration(60 * time.Minute)
	c.Limits.Waiting = Duration(5 * time.Minute)
	c.Limits.Check = Duration(10 * time.Minute)
	c.Limits.Setup = Duration(10 * time.Minute)
	c.Worktree.Ports = usualPorts()
	c.Worktree.Spares = 4
	return c
}

// ReadConfig reads the settings of the project at home; no file means defaults.
func ReadConfig(home string) (*Config, error) {
	c := DefaultConfig(home)
	src, err := configSource(home)
	if err != nil {
		return nil, err
	}
	if err := c.Read(src, home); err != nil {
		return nil, err
	}
	return c, nil
}

// ReadWhatFits is readConfig for settings that may be broken: it reads what is right in
// them and keeps what is not.
func ReadWhatFits(home string) (*Config, error) {
	c := DefaultConfig(home)
	src, err := configSource(home)
	if err != nil {
		return nil, err
	}
	defer c.Repair(home)
	doc, err := markdown.Parse(store.ConfigPath, src)
	if err == nil {
		err = doc.Decode(&c.root)
	}
	if err != nil {
		c.Broken = err
		return c, nil
	}
	if c.Faults = shape.Check[Config](&c.root, ConfigLaw()); c.root.Kind != 0 {
		c.Broken = c.root.Decode(c)
	}
	if len(c.Parallel.Agents) == 0 {
		c.Parallel.Agents = eachOnce(src)
	}
	return c, nil
}

// configSource is the text of config.md, none without the file.
func configSource(home string) ([]byte, error) {
	src, err := store.ReadFile(home, store.ConfigPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}

// Read takes in the text of a config.md.
func (c *Config) Read(src []byte, home string) error {
	doc, err := markdown.Parse(store.ConfigPath, src)
	if err != nil {
		return err
	}
	if err := doc.Decode(c); err != nil {
		return err
	}
	if err := doc.Decode(&c.root); err != nil {
		return err
	}
	c.Faults = shape.Check[Config](&c.root, ConfigLaw())
	c.Repair(home)
	return nil
}

// Repair puts defaults where the file has a key with nothing in it.
func (c *Config) Repair(home string) {
	d := DefaultConfig(home)
	for _, f := range []struct{ have, want *string }{
		{&c.Project.Name, &d.Project.Name},
		{&c.Defaults.Provider, &d.Defaults.Provider},
		{&c.Defaults.Prompt, &d.Defaults.Prompt},
		{&c.Defaults.BranchPrefix, &d.Defaults.BranchPrefix},
	} {
		if *f.have == "" {
			*f.have = *f.want
		}
	}
	c.Parallel.Rotation = cmp.Or(c.Parallel.Rotation, c.Defaults.Rotation)
	if c.Retry == nil {
		c.Retry = &c.Watch.Failure
	}
	if c.Worktree.Dir != "" && !filepath.IsAbs(c.Worktree.Dir) {
		c.Worktree.Dir = filepath.Join(home, c.Worktree.Dir)
	}
}
