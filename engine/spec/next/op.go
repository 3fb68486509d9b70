package next

import (
	"slices"
	"strings"
)

// Op is an operation of chant, by the words of its command.
type Op string

// The operations that can be a next step.
const (
	Activity     Op = "activity"
	Add          Op = "add"
	Adopt        Op = "adopt"
	Answer       Op = "answer"
	Approve      Op = "approve"
	Archive      Op = "archive"
	CI           Op = "ci"
	Cancel       Op = "cancel"
	Check        Op = "check"
	Cleanup      Op = "cleanup"
	Code         Op = "code"
	CommandList  Op = "command list"
	CommandFind  Op = "command search"
	Config       Op = "config"
	Dag          Op = "dag"
	Demo         Op = "demo"
	Deinit       Op = "deinit"
	Deps         Op = "deps"
	Derive       Op = "derive"
	Diagnose     Op = "diagnose"
	Diff         Op = "diff"
	Docs         Op = "docs"
	Converge     Op = "converge"
	Drift        Op = "drift"
	Edit         Op = "edit"
	Export       Op = "export"
	Feature      Op = "feature"
	Finalize     Op = "finalize"
	FleetDown    Op = "fleet down"
	FleetImage   Op = "fleet containerfile"
	FleetInvite  Op = "fleet invite"
	FleetJoin    Op = "fleet join"
	FleetRetry   Op = "fleet retry"
	FleetStatus  Op = "fleet status"
	FleetUnit    Op = "fleet unit"
	FleetUp      Op = "fleet up"
	Guide        Op = "guide"
	HookList     Op = "hook list"
	Hooks        Op = "hooks"
	HooksInstall Op = "hooks install"
	HooksRemove  Op = "hooks remove"
	Index        Op = "index"
	Init         Op = "init"
	KeyInit      Op = "key init"
	KeyList      Op = "key list"
	KeyTrust     Op = "key trust"
	Lint         Op = "lint"
	List         Op = "list"
	Log          Op = "log"
	MCP          Op = "mcp"
	Merge        Op = "merge"
	Pause        Op = "pause"
	Plan         Op = "plan"
	PlanAccept   Op = "plan accept"
	PlanList     Op = "plan list"
	PlanResume   Op = "plan resume"
	PlanRevise   Op = "plan revise"
	PlanShow     Op = "plan show"
	PromptList   Op = "prompt list"
	Prove        Op = "prove"
	Queue        Op = "queue"
	QueueResume  Op = "queue resume"
	Reject       Op = "reject"
	Research     Op = "research"
	Reset        Op = "reset"
	Review       Op = "review"
	Search       Op = "search"
	Serve        Op = "serve"
	Show         Op = "show"
	Site         Op = "site build"
	Split        Op = "split"
	Stats        Op = "stats"
	Status       Op = "status"
	Takeover     Op = "takeover"
	TemplateList Op = "template list"
	Undo         Op = "undo"
	Update       Op = "update"
	Verify       Op = "verify"
	Watch        Op = "watch"
	WatchStart   Op = "watch start"
	WatchStatus  Op = "watch status"
	Work         Op = "work"
)

// Form lists the arguments that a step may have for an operation: the names of those by position, its switches, and its
// flags with a value. Pairs are those of its flags that may be repeated with values such as name=value, which a tool
// takes as one mapping, under the plural of their name.
type Form struct {
	Op       Op
	Args     []string
	Switches []string
	Flags    []string
	Pairs    []string
}

// Forms lists the form of each operation. Every operation also has the switch help.
func Forms() []Form {
	id := []string{"id"}
	return []Form{
		{Op: Activity},
		{Op: Add, Args: []string{"description"}, Flags: []string{"depends-on", "group", "template", "var"}, Pairs: []string{"var"}},
		{Op: Adopt},
		{Op: Answer, Args: []string{"id", "text"}, Flags: []string{"question"}},
		{Op: Approve, Args: id},
		{Op: Archive, Args: id},
		{Op: CI},
		{Op: Deinit, Switches: []string{"dry-run"}},
		{Op: Cancel, Args: id, Switches: []string{"cascade", "delete", "skip-checks"}},
		{Op: Check, Args: []string{"id", "criterion"}},
		{Op: Cleanup, Switches: []string{"yes"}},
		{Op: Code, Args: []string{"query"}},
		{Op: CommandFind, Args: []string{"query"}, Flags: []string{"agent"}},
		{Op: CommandList, Flags: []string{"agent"}},
		{Op: Config, Switches: []string{"validate"}},
		{Op: Dag},
		{Op: Demo},
		{Op: Deps, Args: id},
		{Op: Derive, Switches: []string{"all"}},
		{Op: Diagnose, Args: id},
		{Op: Diff, Args: id},
		{Op: Docs, Args: []string{"query"}},
		{Op: Converge, Args: id, Switches: []string{"add"}, Flags: []string{"provider"}},
		{Op: Drift, Switches: []string{"flag"}},
		{Op: Edit, Args: id},
		{Op: Export, Switches: []string{"archived"}, Flags: []string{"fields", "format", "from", "label", "output", "status", "to"}},
		{Op: Feature},
		{Op: Finalize, Args: id, Switches: []string{"accept-changes"}},
		{Op: FleetDown},
		{Op: FleetImage},
		{Op: FleetInvite, Args: []string{"name"}},
		{Op: FleetJoin, Args: []string{"from"}, Flags: []string{"remote", "slots"}},
		{Op: FleetRetry, Args: id},
		{Op: FleetStatus},
		{Op: FleetUnit},
		{Op: FleetUp, Flags: []string{"host", "listen"}},
		{Op: Guide, Args: []string{"topic"}},
		{Op: HookList},
		{Op: Hooks},
		{Op: HooksInstall, Switches: []string{"tracked"}},
		{Op: HooksRemove, Switches: []string{"tracked"}},
		{Op: Index},
		{Op: Init, Switches: []string{"gitignore", "hooks", "silent"}, Flags: []string{"agent", "ci", "model", "provider", "verify"}},
		{Op: KeyInit, Flags: []string{"ssh"}},
		{Op: KeyList},
		{Op: KeyTrust, Args: []string{"name"}, Flags: []string{"key"}},
		{Op: Lint, Args: id, Switches: []string{"fix"}},
		{Op: List},
		{Op: Log, Args: id, Switches: []string{"follow"}},
		{Op: MCP, Flags: []string{"http", "session"}},
		{Op: Merge, Args: id, Switches: []string{"auto", "rebase"}, Flags: []string{"adopt", "provider"}},
		{Op: Pause, Args: id},
		{Op: Plan, Args: []string{"idea"}, Switches: []string{"from-drift"}, Flags: []string{"provider"}},
		{Op: PlanAccept, Args: id},
		{Op: PlanList},
		{Op: PlanResume, Args: id},
		{Op: PlanRevise, Args: []string{"id", "request"}},
		{Op: PlanShow, Args: id},
		{Op: PromptList},
		{Op: Prove, Args: id, Switches: []string{"add"}},
		{Op: Queue},
		{Op: QueueResume, Args: id, Flags: []string{"target"}},
		{Op: Reject, Args: id},
		{Op: Research, Args: []string{"query"}},
		{Op: Reset, Args: id},
		{Op: Review, Args: id, Switches: []string{"approve", "reject"}, Flags: []string{"comment", "on"}},
		{Op: Search, Args: []string{"query"}},
		{Op: Serve, Flags: []string{"port"}},
		{Op: Show, Args: id},
		{Op: Site, Flags: []string{"output"}},
		{Op: Split, Args: id, Switches: []string{"by-heading", "force"}},
		{Op: Stats},
		{Op: Status, Switches: []string{"usage"}},
		{Op: Takeover, Args: id},
		{Op: TemplateList},
		{Op: Undo, Args: id, Switches: []string{"list", "yes"}},
		{Op: Update, Args: id},
		{Op: Verify, Args: id, Switches: []string{"all"}, Flags: []string{"provider"}},
		{Op: Watch, Switches: []string{"work"}},
		{Op: WatchStart},
		{Op: WatchStatus},
		{Op: Work, Args: id, Switches: []string{"all", "replay"}, Flags: []string{"timeout"}},
	}
}

// form returns the form of an operation; false for an unknown one.
func (o Op) form() (Form, bool) {
	all := Forms()
	if i := slices.IndexFunc(all, func(f Form) bool { return f.Op == o }); i >= 0 {
		return all[i], true
	}
	return Form{}, false
}

// NamedArg is an argument with its name.
type NamedArg struct {
	Name  string
	Value any // a string, true for a switch, map[string]any for pairs
}

// NamedArgs lists the arguments of an operation by name; false if the step has an argument that its form does not
// allow.
func (s Step) NamedArgs() ([]NamedArg, bool) {
	form, known := s.Op.form()
	if !known {
		return nil, false
	}
	var out []NamedArg
	at := 0
	for _, a := range s.Args {
		switch {
		case a.Flag == "" && at < len(form.Args):
			out = append(out, NamedArg{form.Args[at], a.Value})
			at++
		// Every operation has help, so no form lists it.
		case slices.Contains(form.Switches, a.Flag) && a.Value == "", a.Flag == "help":
			out = append(out, NamedArg{a.Flag, true})
		case slices.Contains(form.Pairs, a.Flag):
			// A tool takes repeated flags as one mapping, under the plural of their name.
			out = withPair(out, a.Flag+"s", a.Value)
		case slices.Contains(form.Flags, a.Flag):
			out = append(out, NamedArg{a.Flag, a.Value})
		default:
			return nil, false
		}
	}
	return out, true
}

// withPair adds name=value to the mapping of an argument.
func withPair(args []NamedArg, name, pair string) []NamedArg {
	key, value, _ := strings.Cut(pair, "=")
	i := slices.IndexFunc(args, func(a NamedArg) bool { return a.Name == name })
	if i < 0 {
		return append(args, NamedArg{name, map[string]any{key: value}})
	}
	args[i].Value.(map[string]any)[key] = value
	return args
}
