package cmd

import (
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/author/commands"
	"chant/engine/author/planning"
	"chant/engine/author/review"
	"chant/engine/code"
	"chant/engine/evidence/criteria"
	"chant/engine/feature"
	"chant/engine/setup"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/task/exchange"
	"chant/engine/task/sprints"
	"chant/engine/task/tasks"
	"chant/engine/verify"
	"chant/engine/verify/gate"
	"chant/engine/verify/linter"
	"chant/engine/verify/prove"
	"chant/engine/view"
	"chant/engine/view/overview"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/engine/work/questions"
	"chant/engine/work/queue"
	"chant/engine/work/undo"
	pagesite "chant/site"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
)

// schemaVersion is part of the ids of schemas. It is raised when a member is removed, or means something else.
const schemaVersion = 2

// results are the types of what commands print with --json, by the words of the command. A command whose result has
// several forms has a row for each.
func results() map[string]reflect.Type {
	return map[string]reflect.Type{
		"init": of[setup.InitResult](), "demo": of[setup.DemoResult](), "config": of[setup.ConfigResult](), "config --validate": of[setup.CheckConfigResult](),
		"version": of[versionResult](), "doctor": of[setup.DoctorResult](), "deinit": of[setup.DeinitResult](), "cache": of[setup.CacheResult](), "guide": of[guideTopicsResult](), "guide TOPIC": of[guideTextResult](),
		"add": of[author.AddResult](), "edit": of[engine.StateResult](), "update": of[engine.StateResult](), "check": of[author.CheckResult](),
		"derive": of[author.DeriveResult](), "split": of[author.SplitResult](), "archive": of[author.ArchiveResult](), "archive (all)": of[author.ArchiveManyResult](), "open": of[author.OpenResult](),
		"adopt": of[feature.AdoptResult](), "import": of[exchange.ImportFromResult](),
		"template list": of[author.TemplatesResult](), "template show": of[author.TemplateResult](),
		"prompt list": of[author.PromptsResult](), "prompt show": of[author.PromptResult](), "prompt render": of[author.RenderPromptResult](),
		"plan": of[planning.PlanResult](), "plan list": of[planning.ListResult](), "plan show": of[planning.PlanResult](), "plan accept": of[planning.PlanResult](), "plan drop": of[planning.DropResult](),
		"plan resume": of[planning.PlanResult](), "plan revise": of[planning.PlanResult](), "plan change": of[planning.PlanResult](),
		"prep": of[view.PrepResult](),
		"list": of[view.ListResult](), "ready": of[view.ListResult](), "show": of[view.ShowResult](), "status": of[view.StatusResult](),
		"search": of[view.SearchResult](), "board": of[view.BoardResult](), "diff": of[view.DiffResult](), "deps": of[view.DepsResult](),
		"diagnose": of[view.DiagnoseResult](), "log": of[view.LogResult](), "export": of[view.ExportResult](), "export --format json": of[[]map[string]any](),
		"dag": of[overview.DagResult](), "activity": of[overview.ActivityResult](), "stats": of[overview.StatsResult](),
		"work": of[work.WorkResult](), "work --all": of[queue.WorkAllResult](), "work --detach": of[queue.WorkStartResult](), "work list": of[queue.WorkListResult](),
		"finalize": of[work.WorkResult](), "merge": of[work.WorkResult](), "merge --all": of[work.MergeManyResult](),
		"queue": of[view.QueueResult](), "queue hold": of[work.QueueOrderResult](), "queue resume": of[work.QueueOrderResult](), "queue eject": of[work.QueueOrderResult](), "queue first": of[work.QueueOrderResult](),
		"watch": of[queue.WatchResult](), "watch start": of[queue.WatchStartResult](), "watch status": of[queue.WatchStatusResult](), "watch stop": of[queue.WatchStopResult](),
		"pause": of[engine.StateResult](), "takeover": of[work.TakeoverResult](), "reset": of[engine.StateResult](), "cancel": of[engine.StateResult](), "cancel --delete": of[work.CancelGroupResult](),
		"cleanup": of[work.CleanupResult](), "worktree status": of[work.WorktreeResult](),
		"undo": of[undo.UndoResult](), "undo --list": of[undo.ListResult](), "ask": of[questions.AskResult](), "answer": of[questions.AnswerResult](), "answer (open questions)": of[questions.ListResult](),
		"review": of[review.ReviewResult](), "review (steps)": of[view.WalkResult](), "approve": of[review.RulingResult](), "reject": of[review.RulingResult](),
		"verify": of[verify.VerifyAllResult](), "verify ID": of[verify.VerifyResult](), "prove": of[prove.Result](), "drift": of[verify.DriftResult](), "converge": of[author.ConvergeResult](), "lint": of[linter.LintResult](),
		"ci": of[gate.CIResult](), "hooks status": of[gate.HooksResult](),
		"key init": of[verify.KeyInitResult](), "key list": of[verify.KeyListResult](), "key trust": of[verify.KeyTrustResult](),
		"hook list": of[feature.ListHooksResult](), "hook run": of[feature.RunHookResult](),
		"feature": of[feature.ContextResult](), "feature read": of[feature.ReadSpecResult](), "feature tasks": of[feature.ListTasksResult](), "feature done": of[feature.CompleteTaskResult](),
		"feature state": of[feature.AppStateResult](), "feature report": of[feature.ReportStatusResult](),
		"task create": of[tasks.CreateResult](), "task list": of[tasks.ListResult](), "task show": of[task.Task](), "task update": of[tasks.BulkResult](),
		"task comment": of[tasks.BulkResult](), "task comment --index": of[tasks.CommentResult](), "task delete": of[tasks.DeleteResult](), "task reference": of[tasks.BulkReferenceResult](),
		"task projects": of[tasks.ProjectsResult](), "task config set": of[tasks.ConfigSetResult](), "task import": of[exchange.ImportResult](), "whoami": of[tasks.WhoamiResult](),
		"sprint list": of[sprints.ListResult](), "sprint show": of[sprints.GetResult](), "sprint create": of[sprints.CreateResult](), "sprint update": of[sprints.UpdateResult](),
		"sprint start": of[sprints.UpdateResult](), "sprint close": of[sprints.UpdateResult](), "sprint delete": of[sprints.DeleteResult](), "sprint add": of[sprints.AssignResult](),
		"sprint remove": of[sprints.AssignResult](), "sprint backlog": of[sprints.BacklogResult](), "sprint summary": of[sprints.SummaryResult](),
		"sprint burndown": of[sprints.BurndownResult](), "sprint velocity": of[sprints.VelocityResult](),
		"index": of[code.IndexResult](), "code": of[code.SearchResult](), "docs": of[code.DocsResult](), "research": of[code.ResearchResult](),
		"command list": of[commands.ListResult](), "command show": of[commands.DescribeResult](), "command search": of[commands.SearchResult](),
		"command run": of[commands.ExecuteResult](), "command new": of[commands.NewResult](), "command registry": of[commands.RegistryResult](),
		"fleet status": of[node.StatusResult](), "fleet drain": of[node.OrderResult](), "fleet cordon": of[node.OrderResult](), "fleet uncordon": of[node.OrderResult](), "fleet retry": of[node.RetryResult](), "fleet down": of[node.DownResult](), "fleet invite": of[node.InviteResult](),
		"site init": of[pagesite.InitResult](), "site build": of[pagesite.Result](),
		// What is not the result of a command.
		"error": of[errorResult](), "events": of[engine.Event](),
	}
}

// errorResult is what a command that fails prints on stderr with --json.
type errorResult struct {
	Error engine.Error `json:"error"`
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

// schemaNames lists what `chant schema` can print.
func schemaNames() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(results())), maps.Keys(fileSchemas()))))
}

// schemaOf returns the JSON Schema of a name.
func schemaOf(name string) (s *jsonschema.Schema, err error) {
	if file, found := fileSchemas()[name]; found {
		s = file()
	} else if s, err = resultSchema(results()[name]); err != nil {
		return nil, err
	}
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "chant "+name
	s.ID = fmt.Sprintf("urn:chant:schema:%d:%s", schemaVersion, schemaFile(name))
	return s, nil
}

// resultSchema returns the JSON Schema of a result.
func resultSchema(t reflect.Type) (*jsonschema.Schema, error) {
	own := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {}, reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
		// A spec whose file is invalid has no other status.
		reflect.TypeFor[spec.Status](): words(append(spec.StatusWords(), string(spec.Invalid))), reflect.TypeFor[spec.Type](): words(spec.TypeWords()),
		reflect.TypeFor[criteria.Status](): {Type: "string"},
	}
	describeOwn(t, own, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: own})
	if err != nil {
		return nil, err
	}
	open(s)
	return s, nil
}

// schemaFile is the name of a schema as part of ids and names of files.
func schemaFile(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }), "-")
}

func words(known []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range known {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// describeOwn adds the schemas of types that encode themselves, which their fields do not show.
func describeOwn(t reflect.Type, own map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] || own[t] != nil {
		return
	}
	seen[t] = true
	encodes := func(i reflect.Type) bool {
		return t.Kind() != reflect.Interface && (t.Implements(i) || reflect.PointerTo(t).Implements(i))
	}
	switch {
	case encodes(reflect.TypeFor[json.Marshaler]()):
		own[t] = &jsonschema.Schema{}
		return
	case encodes(reflect.TypeFor[encoding.TextMarshaler]()):
		own[t] = &jsonschema.Schema{Type: "string"}
		return
	}
	switch t.Kind() {
	case reflect.Map:
		// JSON writes the keys of a map as texts, which the library does not know of numbers.
		if t.Key().Kind() != reflect.String {
			own[t] = &jsonschema.Schema{Type: "object"}
			return
		}
		describeOwn(t.Elem(), own, seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		describeOwn(t.Elem(), own, seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() {
				describeOwn(f.Type, own, seen)
			}
		}
	}
}

// open allows members that a later version adds.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "object" && len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	for _, member := range s.Properties {
		open(member)
	}
	open(s.Items)
	open(s.AdditionalProperties)
}

// newSchema returns the command "chant schema".
func newSchema(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [COMMAND]",
		Short: "Print the JSON Schema of what a command prints with --json",
		Long: `Print the JSON Schema (draft 2020-12) of what a command prints with --json, or list
the names of all schemas. "error" is what a command that fails prints on stderr,
"events" a line of progress, "front-matter" and "settings" what people write: the
front matter of specs and of .chant/config.md, and "plan-answer" what an agent answers
that plans. Later versions may add members, and
remove or change none without a line in the changelog.`,
		Example: "chant schema\nchant schema list > list.schema.json\nchant schema work --all\nchant schema error\nchant schema settings",
		// Flags are part of the names of some schemas.
		DisableFlagParsing: true,
		ValidArgs:          schemaNames(),
		RunE: func(c *cobra.Command, args []string) error {
			a.JSON = slices.Contains(args, "--json")
			args = slices.DeleteFunc(args, func(arg string) bool {
				return arg == "--json" || arg == "--quiet" || arg == "-q" || arg == "--no-pager"
			})
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				return c.Help()
			}
			name := strings.Join(args, " ")
			if name == "" {
				r := schemaList{schemaNames()}
				return console.Show(a, r, func(w io.Writer, r schemaList) { fmt.Fprintln(w, strings.Join(r.Schemas, "\n")) })
			}
			if !slices.Contains(schemaNames(), name) {
				return engine.Fail(engine.Usage, next.Shell("chant schema"), "no schema %q%s", name, spec.DidYouMean(spec.Nearest(name, schemaNames())))
			}
			s, err := schemaOf(name)
			if err != nil {
				return err
			}
			return console.WriteJSON(a.Out, s, "  ")
		},
	}
}

// schemaList is the result of `chant schema` without a name.
type schemaList struct {
	Schemas []string `json:"schemas"`
}
