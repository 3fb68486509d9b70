package spec

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec/next"
	"chant/engine/spec/taskfields"
)

// Writer is who writes a key of the front matter.
type Writer string

// The writers.
const (
	ByPerson   Writer = "person"   // a person, or an agent that adds a spec
	ByChant    Writer = "chant"    // chant, while the spec is worked
	ByOlder    Writer = "older"    // the older chant; these keys are kept and ignored
	BySettings Writer = "settings" // keys of verify that only config.md may have
)

// Key is one key of the front matter, or of a mapping in it: "verify.commands".
type Key struct {
	Name    string
	Type    string // in words
	Default string // the value without the key
	Text    string // what it means
	Page    string // page of the manual with more about it; may be empty
	By      Writer
	Shapes  bool // shapes the work: an edit voids an approval
	Set     bool // a list whose order and repetitions do not matter
	Informs bool // only describes the spec; a project may derive it
}

// HashesKey is the front-matter key of a completed spec for the digests of the files that it depends on or changed.
const HashesKey = "content_hashes"

// KeyTable lists every front-matter key that has a meaning. It is the only list of them: the keys that lint knows,
// those that an approval covers, how lists merge, and the manual's page about specs come from it. A test compares it
// with the keys that are parsed.
func KeyTable() []Key {
	return slices.Concat(personKeys(), taskKeys(), verifyKeys(), approvalKeys(), chantKeys(), olderKeys())
}

func personKeys() []Key {
	types := make([]string, 0, len(Types()))
	for _, t := range Types() {
		types = append(types, string(t))
	}
	return []Key{
		{Name: "type", Type: strings.Join(types, ", "), Default: "code", By: ByPerson, Shapes: true,
			Text: "the kind of work; driver and group only hold members"},
		{Name: "labels", Type: "list of words", Default: "none", By: ByPerson, Set: true, Informs: true,
			Text: "for --label, and for approval rules and other settings that apply to a label"},
		{Name: "priority", Type: "critical, high, medium, low, or a number from 0", Default: "medium", By: ByPerson, Informs: true,
			Text: "what starts first among what is ready; 0 is the most urgent"},
		{Name: "depends_on", Type: "list of ids", Default: "see Dependencies", By: ByPerson, Shapes: true, Set: true,
			Text: "specs that must land before this one starts; [] is none"},
		{Name: "target_files", Type: "list of paths and globs", Default: "none", By: ByPerson, Shapes: true, Set: true,
			Text: "files that the work is about; specs with common files do not run at the same time, and drift watches them"},
		{Name: "context", Type: "list of paths", Default: "none", By: ByPerson, Shapes: true, Set: true, Informs: true,
			Text: "files that are quoted to the agent"},
		{Name: "prompt", Type: "name, or C1/C2/C3 of a command", Default: "that of the type, else defaults.prompt", By: ByPerson, Shapes: true,
			Text: "the prompt to work it with", Page: "prompts"},
		{Name: "provider", Type: "name", Default: "defaults.provider", By: ByPerson, Shapes: true,
			Text: "the agent CLI that works it", Page: "agents"},
		{Name: "runs_on", Type: "list of labels", Default: "any machine", By: ByPerson, Shapes: true, Set: true,
			Text: "labels that a machine of a fleet must have, all of them, to work it; without a fleet they have no effect"},
		{Name: "model", Type: "one word", Default: "defaults.model", By: ByPerson, Shapes: true,
			Text: "the model to work it with; in a completed spec, the model that was used"},
		{Name: "onto", Type: "branch", Default: "defaults.main_branch", By: ByPerson,
			Text: "where it lands; work with --onto writes it", Page: "pr"},
		{Name: "members", Type: "list of ids", Default: "the ids below this one", By: ByPerson, Shapes: true, Set: true,
			Text: "further members of a driver or group"},
		{Name: "tracks", Type: "list of paths and globs", Default: "none", By: ByPerson, Shapes: true, Set: true,
			Text: "of documentation: the files that it describes, for drift"},
		{Name: "informed_by", Type: "list of paths and globs", Default: "none", By: ByPerson, Shapes: true, Set: true,
			Text: "of research: sources to bring together, for drift"},
		{Name: "origin", Type: "list of paths and globs", Default: "none", By: ByPerson, Shapes: true, Set: true,
			Text: "of research: material to analyse, for drift"},
		{Name: "verify", Type: "command, list of commands, or mapping", Default: "verify of the settings", By: ByPerson, Shapes: true,
			Text: "commands for the whole spec, and how commands run"},
		{Name: "source", Type: "path", Default: "none", By: ByPerson, Shapes: true,
			Text: "the folder of spec-kit, Kiro or OpenSpec that it adopts", Page: "feature"},
		{Name: "part", Type: "list of tasks, stories and criteria", Default: "all of source", By: ByPerson, Shapes: true, Set: true,
			Text: "of a member: what of that folder it is about", Page: "feature"},
		{Name: "met", Type: "list of criteria", Default: "none", By: ByPerson, Set: true,
			Text: "criteria of that folder that have no box there and hold", Page: "feature"},
		{Name: "output_schema", Type: "path", Default: "none", By: ByPerson, Shapes: true,
			Text: "JSON Schema that the agent's final output must match", Page: "gates"},
		{Name: "prompt_extensions", Type: "list of names", Default: "defaults.prompt_extensions", By: ByPerson, Shapes: true,
			Text: "texts that are added to the prompt"},
		{Name: "guards", Type: "list of numbers, or all", Default: "none", By: ByPerson, Shapes: true,
			Text: "criteria that hold before the work and must still hold after it", Page: "proof"},
		{Name: "red_for", Type: "id", Default: "none", By: ByPerson, Shapes: true,
			Text: "this spec writes tests that must fail until that spec is done, which depends on this one; both land together", Page: "proof"},
		{Name: "limits", Type: "mapping", Default: "limits of the settings", By: ByPerson,
			Text: "what agents may use for this spec; 0 is no limit"},
		{Name: "limits.cost", Type: "US dollars", Default: "limits.cost", By: ByPerson, Text: "of all its agents together"},
		{Name: "limits.tokens", Type: "number", Default: "limits.tokens", By: ByPerson, Text: "in and out, of all its agents together"},
		{Name: "limits.turns", Type: "number", Default: "limits.turns", By: ByPerson, Text: "answers of a model, of all its agents together"},
		{Name: "limits.time", Type: "duration", Default: "limits.time", By: ByPerson, Text: "of each agent"},
		{Name: "limits.silence", Type: "duration", Default: "limits.silence", By: ByPerson, Text: "of each agent, without output"},
	}
}

// taskKeys lists the keys of specs that are planned as tasks.
func taskKeys() []Key {
	out := []Key{
		{Name: "task", Type: "PREFIX-n", Default: "none", Text: "its number as a task, which task create assigns; commands accept it in place of the id", Page: "tasks"},
		{Name: "aliases", Type: "list of names", Default: "none", Set: true, Text: "ids that it has in other tools, which commands accept in place of its own", Page: "import"},
		{Name: "task_status", Type: "word", Default: "that of the status", Text: "the workspace's word for the status, where several words mean the same status"},
		{Name: "task_type", Type: "word", Default: "none", Text: "its type among those of the tasks, such as Feature or Bug"},
		{Name: "assignee", Type: "name", Default: "none", Text: "who works on it"},
		{Name: "reporter", Type: "name", Default: "none", Text: "who asked for it"},
		{Name: "due_date", Type: "day or time", Default: "none", Text: "when it is due, such as 2026-12-01"},
		{Name: "effort", Type: "hours or points", Default: "none", Text: "estimated effort, such as 16.00h or 3pt"},
		{Name: "subtitle", Type: "text", Default: "none", Text: "a second line for the title"},
		{Name: "created", Type: "time", Default: "its first commit", Text: "when it was created, where the history does not say it"},
		{Name: "sprints", Type: "list of numbers", Default: "none", Text: "the sprints that it belongs to", Page: "tasks"},
		{Name: "relationships", Type: "mapping", Default: "none", Text: "how it relates to other specs, apart from depends_on"},
		{Name: "relationships.blocks", Type: "list of ids", Default: "none", Text: "specs that depend on it; their depends_on counts"},
		{Name: "relationships.related", Type: "list of ids", Default: "none", Text: "specs about the same matter"},
		{Name: "relationships.parent", Type: "id", Default: "none", Text: "the larger task that it belongs to"},
		{Name: "relationships.children", Type: "list of ids", Default: "none", Text: "the tasks that belong to it"},
		{Name: "relationships.fixes", Type: "list of ids", Default: "none", Text: "specs whose faults it corrects"},
		{Name: "relationships.duplicate_of", Type: "id", Default: "none", Text: "the spec that asks for the same"},
		{Name: "custom_fields", Type: "mapping of names to values", Default: "none", Text: "fields of the project"},
		{Name: "comments", Type: "list of date, author and text", Default: "none", Set: true, Text: "what people and agents say about it, oldest first"},
		{Name: "references", Type: "list of mappings with one of " + strings.Join(taskfields.ReferenceKinds(), ", "), Default: "none", Text: "what it refers to"},
		{Name: "imported_history", Type: "list of at, actor and changes", Default: "none", Text: "changes from before it was imported"},
		{Name: "lotar", Type: "mapping", Default: "none", Text: "of a task that was imported: what its file had in another form, which an export writes again", Page: "tasks"},
	}
	// None of these keys decides how chant works a spec, so a project may derive them.
	for i := range out {
		out[i].By, out[i].Informs = ByPerson, true
	}
	return out
}

func verifyKeys() []Key {
	ways := []Key{
		{Name: "timeout", Type: "duration", Default: "limits.check", Text: "time limit of each command"},
		{Name: "dir", Type: "path", Default: "the top", Text: "folder to run in"},
		{Name: "env", Type: "mapping of names to texts", Default: "none", Text: `variables; "$ command" is what that command prints`},
		{Name: "retries", Type: "number from 0 to 10", Default: "0", Text: "further tries after a failure; one that then passes twice is flaky"},
		{Name: "repeat", Type: "number from 1 to 100", Default: "1", Text: "how often it must pass; one that also fails is flaky"},
		{Name: "network", Type: "off, loopback or all", Default: "all if it asks for more than loopback", Text: "what it may connect to in the sandbox", Page: "proof"},
		{Name: "inputs", Type: "list of globs, or auto", Default: "every file", Text: "files that it depends on: a landing runs it again only if one of them differs", Page: "many"},
	}
	out := []Key{
		{Name: "verify.commands", Type: "command, or list of commands", Default: "none",
			Text: "each a text, or a mapping with run and the keys below it"},
		{Name: "verify.defaults", Type: "command, or list of commands", Default: "none", Text: "another name for commands, as in the settings"},
		{Name: "verify.protect", Type: "list of globs", Default: "none", Text: "files that the run must not change"},
		{Name: "verify.pass", By: BySettings},
		{Name: "verify.require", By: BySettings},
		{Name: "verify.since", By: BySettings},
		{Name: "verify.red_first", By: BySettings},
		{Name: "verify.weakened", By: BySettings},
		{Name: "verify.prove", By: BySettings},
		{Name: "verify.prove_when", By: BySettings},
	}
	// The same settings apply to all commands and to each one.
	for _, k := range ways {
		k.Name = "verify." + k.Name
		out = append(out, k)
	}
	out = append(out,
		Key{Name: "verify.parallel", Type: "true or false", Default: "false", Text: "run commands and criteria at the same time"},
		Key{Name: "verify.commands.run", Type: "text", Default: "required", Text: "the command; exit code 0 is success"},
		Key{Name: "verify.commands.name", Type: "text", Default: "the command", Text: "what reports call it"},
	)
	for _, k := range ways {
		k.Name, k.Default = "verify.commands."+k.Name, "verify."+k.Name
		k.Text = "the same, of this command"
		out = append(out, k)
	}
	for i := range out {
		if out[i].By == "" {
			out[i].By = ByPerson
		}
	}
	return out
}

func approvalKeys() []Key {
	return []Key{
		{Name: "approval", Type: "mapping", Default: "none", By: ByPerson, Text: "what people have decided about the spec", Page: "gates"},
		{Name: "approval.required", Type: "true or false", Default: "false", By: ByPerson, Text: "work waits until a person approves"},
		{Name: "approval.status", Type: "pending, approved, rejected", Default: "pending", By: ByChant, Text: "what was decided, by approve and reject"},
		{Name: "approval.by", Type: "text", Default: "none", By: ByChant, Text: "who decided"},
		{Name: "approval.at", Type: "time", Default: "none", By: ByChant, Text: "when"},
		{Name: "approval.hash", Type: "text", Default: "none", By: ByChant, Text: "digest of what was approved; an edit of it voids the approval"},
		{Name: "approval.work", Type: "text", Default: "none", By: ByChant, Text: "digest of the work that was approved or waits for it"},
		{Name: "approval.approvals", Type: "list of by and at", Default: "none", By: ByChant, Text: "one of each person, where a rule requires several"},
		{Name: WaitsKey, Type: ForReview, Default: "none", By: ByChant, Text: "an agent wrote the spec inside a run, and it waits until a person approves it; approve removes the key", Page: "gates"},
	}
}

func chantKeys() []Key {
	return []Key{
		{Name: "status", Type: strings.Join(StatusWords(), ", "), Default: "pending", By: ByChant, Text: "commands change it as the table of events allows"},
		{Name: "branch", Type: "name", Default: "none", By: ByChant, Text: "of the older chant: the branch of its run"},
		{Name: "commits", Type: "list of commits", Default: "none", By: ByChant, Set: true, Text: "what its run committed"},
		{Name: "completed_at", Type: "time", Default: "none", By: ByChant, Text: "when it was completed"},
		{Name: "reason", Type: "text", Default: "none", By: ByChant, Text: "why it failed, was paused or needs attention, in words for people"},
		{Name: "reason_code", Type: reasonCodeWords(), Default: "none", By: ByChant, Text: "the kind of reason; chant decides by this and never by the text"},
		{Name: "last_verified", Type: "time", Default: "none", By: ByChant, Text: "when it was last verified"},
		{Name: "verification_status", Type: "passed, partial, failed, nothing to verify", Default: "none", By: ByChant, Text: "the result of that verification"},
		{Name: "verification_failures", Type: "list of texts", Default: "none", By: ByChant, Text: "the criteria that did not hold"},
		{Name: "retry_state", Type: "mapping", Default: "none", By: ByChant, Text: "attempts, last_retry_time and next_retry_time of a run that was put off"},
		{Name: "retry_state.attempts", Type: "number", Default: "none", By: ByChant, Text: "retries so far"},
		{Name: "retry_state.last_retry_time", Type: "milliseconds since 1970", Default: "none", By: ByChant, Text: "when the last attempt ended"},
		{Name: "retry_state.next_retry_time", Type: "milliseconds since 1970", Default: "none", By: ByChant, Text: "when the next one may begin"},
		{Name: "original_spec", Type: "id", Default: "none", By: ByChant, Text: "the rejected spec that this one replaces"},
		{Name: "derived_fields", Type: "list of keys", Default: "none", By: ByChant, Text: "keys that chant derived", Page: "gates"},
		{Name: HashesKey, Type: "mapping of entries to digests", Default: "none", By: ByChant, Text: "digests of its files at completion, for drift"},
		{Name: "replayed_at", Type: "time", Default: "none", By: ByChant, Text: "when it was last started again by replay"},
		{Name: "replay_count", Type: "number", Default: "0", By: ByChant, Text: "how often it was replayed"},
		{Name: "original_completed_at", Type: "time", Default: "none", By: ByChant, Text: "when it was first completed"},
	}
}

func olderKeys() []Key {
	var out []Key
	for _, name := range []string{
		"schedule", "source_branch", "target_branch", "conflicting_files", "blocked_specs", "public", "amendments",
		"failed_at", "error", "log", "commit", "agent",
	} {
		out = append(out, Key{Name: name, By: ByOlder})
	}
	return out
}

// Keys lists the top-level front-matter keys that have a meaning in a spec, including those of the older chant.
func Keys() []string { return keyNames(func(k Key) bool { return !strings.Contains(k.Name, ".") }) }

// OwnKeys lists the top-level front-matter keys that a project may not derive, because chant decides by them: status,
// dependencies, verification and the like. Keys that only describe a spec are not among them.
func OwnKeys() []string {
	return keyNames(func(k Key) bool { return !strings.Contains(k.Name, ".") && !k.Informs && k.By != ByOlder })
}

// keysIn lists the keys directly below a mapping of the front matter.
func keysIn(mapping string) []string {
	var out []string
	for _, name := range keyNames(func(k Key) bool { return strings.HasPrefix(k.Name, mapping+".") }) {
		// Keys of mappings within the mapping have a dot of their own.
		if rest := strings.TrimPrefix(name, mapping+"."); !strings.Contains(rest, ".") {
			out = append(out, rest)
		}
	}
	return out
}

// keyNames lists the names of the keys that include selects, in the order of the table.
func keyNames(include func(Key) bool) []string {
	var out []string
	for _, k := range KeyTable() {
		if include(k) {
			out = append(out, k.Name)
		}
	}
	return out
}

// meaning returns the text of a key, with the command that shows the page about it.
func (k Key) meaning() string {
	if k.Page == "" {
		return k.Text
	}
	return k.Text + ": " + next.Guide.On(k.Page).String()
}

// KeyManual lists the keys of one writer in Markdown: as a table, and those of the older chant in a sentence.
func KeyManual(by Writer) string {
	if by == ByOlder {
		older := keyNames(func(k Key) bool { return k.By == by })
		// One line would be longer than the page is wide.
		half := len(older) / 2
		return strings.Join(older[:half], ", ") + ",\n" + strings.Join(older[half:], ", ") + ".\n"
	}
	var out strings.Builder
	out.WriteString("| key | type | default | meaning |\n|---|---|---|---|\n")
	for _, k := range KeyTable() {
		if k.By == by {
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", k.Name, k.Type, k.Default, k.meaning())
		}
	}
	return out.String()
}
