package config

import (
	"path/filepath"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/engine/store/local"
	"chant/engine/store/shape"

	"go.yaml.in/yaml/v3"
)

// Config is the front matter of `.chant/config.md`. A field is a setting: its yaml tag is the key, its rule tag names
// the format of its value in the table of rules.
type Config struct {
	Format  int `yaml:"format" rule:"settings_format"` // local.SettingsFormat, 1
	Project struct {
		Name   string `yaml:"name"`
		Prefix string `yaml:"prefix" rule:"id_prefix"` // in front of new ids
	} `yaml:"project"`
	Defaults struct {
		Provider     string          `yaml:"provider"`
		Model        string          `yaml:"model"`
		Prompt       string          `yaml:"prompt"`
		SplitModel   string          `yaml:"split_model"`       // of the agent that splits, instead of model
		Extensions   spec.StringList `yaml:"prompt_extensions"` // after every prompt of a run
		BranchPrefix string          `yaml:"branch_prefix"`
		MainBranch   string          `yaml:"main_branch"`   // the target; found when empty
		AppendOutput bool            `yaml:"append_output"` // to a spec that completes: what its agent has said at the end
		// Pass names variables of the environment that agents get in addition to the usual ones. A * at the end of a
		// name matches any rest.
		Pass spec.VariableNames `yaml:"pass"`
		// Rotation is where the older chant has that of the pool.
		Rotation schedule.Rotation `yaml:"rotation_strategy" rule:"rotation"`
	} `yaml:"defaults"`
	Plan struct {
		Model  string   `yaml:"model"`                  // of the agent that plans, instead of defaults.model
		Rounds int      `yaml:"rounds" rule:"count"`    // how often criteria that are not good go back to it, 2
		Write  PlanForm `yaml:"write" rule:"plan_form"` // what else accepting writes
	} `yaml:"plan"`
	Limits   limitsConfig `yaml:"limits"`
	Prices   pricesConfig `yaml:"prices"`
	Worktree struct {
		Copy  CopiedGlobs     `yaml:"copy"`  // globs of ignored files
		Link  LinkedPaths     `yaml:"link"`  // ignored paths
		Setup spec.StringList `yaml:"setup"` // commands
		Dir   string          `yaml:"dir"`   // instead of .chant/worktrees
		Ports portRange       `yaml:"ports"` // from which CHANT_PORT_BASE is taken
	} `yaml:"worktree"`
	Verify   spec.Checks    `yaml:"verify"`
	Sandbox  SandboxConfig  `yaml:"sandbox"`
	Parallel parallelConfig `yaml:"parallel"`
	Approval approvalConfig `yaml:"approval"`
	Agents   AgentsConfig   `yaml:"agents"`
	Evidence struct {
		Signed bool `yaml:"signed"` // completions count only with evidence that a key of .chant/keys has signed
	} `yaml:"evidence"`
	Validation struct {
		Strict bool `yaml:"strict_output_validation"` // output must fit its output_schema to land; else a warning
	} `yaml:"validation"`
	Retry *RetryConfig `yaml:"retry"`
	Work  struct {
		Bell bool `yaml:"bell"` // rings the terminal's bell when an agent asks a person, true
	} `yaml:"work"`
	Watch struct {
		Failure RetryConfig   `yaml:"failure"`                             // where the older chant has Retry
		Poll    time.Duration `yaml:"poll_interval_ms" rule:"interval"`    // where the system reports no changes, 5000
		Idle    int           `yaml:"idle_timeout_minutes" rule:"minutes"` // with nothing to do, 0 = never ends, 5
	} `yaml:"watch"`

	Tasks struct {
		Project  string                 `yaml:"project" rule:"task_prefix"`  // the prefix of new tasks, instead of one from the name of the folder
		Statuses map[string]spec.Status `yaml:"statuses" rule:"task_status"` // words of the tasks, and the statuses that they mean
	} `yaml:"tasks"`

	Context struct {
		Auto int `yaml:"auto" rule:"count"` // tokens of code that prompts quote with the files of a spec's context; 0 = none
	} `yaml:"context"`
	Code struct {
		Exclude     spec.StringList `yaml:"exclude"`                    // globs of files that are not searched
		Include     spec.StringList `yaml:"include"`                    // globs of generated or vendored files that are searched all the same
		MaxFileSize int             `yaml:"max_file_size" rule:"count"` // bytes of a file that is searched, 1000000
		Embeddings  struct {
			Provider string `yaml:"provider" rule:"embeddings"`  // what makes vectors of code; empty: what is learned from the repository
			Endpoint string `yaml:"endpoint" rule:"url"`         // of a server: base URL
			Model    string `yaml:"model"`                       // of a server
			KeyEnv   string `yaml:"key_env" rule:"key_variable"` // variable with the key of a server
		} `yaml:"embeddings"`
	} `yaml:"code"`

	Landing    LandingConfig    `yaml:"landing"`
	Fleet      fleetConfig      `yaml:"fleet"`
	Providers  loopConfigs      `yaml:"providers"`
	Lint       lintConfig       `yaml:"lint"`
	Enterprise enterpriseConfig `yaml:"enterprise"`
	Repos      ReposConfig      `yaml:"repos"` // further repositories, whose specs list, search, status, board and serve show

	layers []Layer       // the files beside config.md
	root   yaml.Node     // the front matter without what is wrong in it
	Faults []shape.Fault `yaml:"-"` // unknown keys; after ReadWhatFits wrong values too
	Broken error         `yaml:"-"` // after ReadWhatFits: why nothing of the file could be read
	Gates  error         `yaml:"-"` // likewise: why the gates of the target are not known
}

// portRange is the first TCP port of runs, and how many each run gets.
type portRange struct {
	Start int `yaml:"start"` // 20000
	Count int `yaml:"count"` // 20
}

// CheckWhole implements shape.Whole.
func (p *portRange) CheckWhole(node *yaml.Node, report shape.Report) {
	if p.Start < 1024 || p.Count < 1 || p.Start+p.Count > 1<<16 {
		report(node.Line, "worktree.ports: %d ports from %d on do not lie between 1024 and 65535", p.Count, p.Start)
	}
}

// DefaultConfig returns the settings of a project at home whose config.md is empty.
func DefaultConfig(home string) *Config {
	c := &Config{Format: local.SettingsFormat}
	c.Project.Name = filepath.Base(home)
	c.Defaults.Provider = "claude"
	c.Defaults.Prompt = "standard"
	c.Defaults.BranchPrefix = "chant/"
	c.Plan.Rounds, c.Plan.Write = 2, PlanChant
	c.Work.Bell = true
	c.Watch.Poll = 5 * time.Second
	c.Watch.Idle = 5
	c.Limits.Time = 60 * time.Minute
	c.Limits.Waiting = 5 * time.Minute
	c.Limits.Check = 10 * time.Minute
	c.Limits.Setup = 10 * time.Minute
	c.Worktree.Ports = portRange{Start: 20000, Count: 20}
	c.Sandbox.Mode, c.Sandbox.Caches = SandboxAuto, CachesShared
	c.Agents.Add = AddForReview
	c.Code.MaxFileSize = 1_000_000
	c.Landing.Order, c.Landing.Conflicts = LandByPriority, ConflictsTell
	c.Fleet.Remote = "origin"
	c.Fleet.Land = LandByMerge
	// Where the settings have no retry, the policy of the older chant counts, whose values are read later.
	c.Retry = &c.Watch.Failure
	return c
}
