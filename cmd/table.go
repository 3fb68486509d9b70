package cmd

import (
	"context"
	"slices"
	"strconv"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/setup"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/task/sprints"
	"chant/engine/view"
	"chant/engine/view/overview"
	"chant/mcp"
	"chant/text"

	"github.com/spf13/cobra"
)

// table has the values of flags, by the name of the flag, by that of its family with the flag, or by that of its command.
// Commands about tasks follow the words of a workspace.
func table() map[string]offer {
	people := func(ctx context.Context, s *source) []string { return s.words(ctx).People }
	meOrOther := func(ctx context.Context, s *source) []string { return append([]string{"@me"}, s.words(ctx).People...) }
	keys := func(ctx context.Context, s *source) []string { return s.words(ctx).Keys }
	tags := func(ctx context.Context, s *source) []string { return s.words(ctx).Tags }
	projects := func(ctx context.Context, s *source) []string { return s.words(ctx).Projects }
	relative := func(ctx context.Context, s *source) []string {
		return append([]string{"active", "next", "previous"}, s.sprints(ctx)...)
	}
	folders := func(ctx context.Context, s *source) []string { return s.folders(ctx) }
	return map[string]offer{
		"--repo":           func(_ context.Context, s *source) []string { return s.repos() },
		"list --project":   folders,
		"search --project": folders,
		"status --project": folders,
		"board --project":  folders,
		"serve --project":  folders,

		"--status":          fixedWords(overview.States()),
		"--type":            func(context.Context, *source) []string { return types() },
		"--priority":        fixedWords([]string{"critical", "high", "medium", "low"}),
		"--label":           func(ctx context.Context, s *source) []string { return s.app.Labels(ctx) },
		"--prompt":          func(ctx context.Context, s *source) []string { return s.prompts(ctx) },
		"--wrong-agent":     func(ctx context.Context, s *source) []string { return s.words(ctx).Providers },
		"--provider":        func(ctx context.Context, s *source) []string { return s.words(ctx).Providers },
		"verify --provider": func(ctx context.Context, s *source) []string { return s.words(ctx).Providers },
		"--model":           func(ctx context.Context, s *source) []string { return s.words(ctx).Models },
		"--assignee":        people,
		"--reporter":        people,
		"--by":              people,
		"--onto":            func(ctx context.Context, s *source) []string { return s.words(ctx).Branches },
		"--adopt":           func(ctx context.Context, s *source) []string { return s.words(ctx).Branches },
		"--target":          func(ctx context.Context, s *source) []string { return s.words(ctx).Branches },
		"--at":              func(ctx context.Context, s *source) []string { return s.words(ctx).Branches },
		"--depends-on":      func(ctx context.Context, s *source) []string { return s.ids(ctx) },
		"--group":           func(ctx context.Context, s *source) []string { return s.ids(ctx) },
		"--sprint":          func(ctx context.Context, s *source) []string { return s.sprints(ctx) },
		"--fields":          func(_ context.Context, s *source) []string { return s.fields() },
		"init --agent":      fixedWords(append(setup.AgentNames(), "all")),
		"--toolsets":        func(context.Context, *source) []string { return toolsets() },
		"mcp --session":     fixedWords([]string{"rstn"}),

		"sprint add --to":      relative,
		"sprint remove --from": relative,

		"task --assignee":     meOrOther,
		"task --reporter":     meOrOther,
		"sprint --assignee":   meOrOther,
		"task --status":       func(ctx context.Context, s *source) []string { return s.words(ctx).Statuses },
		"sprint --status":     func(ctx context.Context, s *source) []string { return s.words(ctx).Statuses },
		"task --priority":     func(ctx context.Context, s *source) []string { return s.words(ctx).Priorities },
		"task --type":         func(ctx context.Context, s *source) []string { return s.words(ctx).Types },
		"task --field":        func(ctx context.Context, s *source) []string { return withEquals(s.words(ctx).Fields) },
		"--tag":               tags,
		"--project":           projects,
		"task --depends-on":   keys,
		"task --blocks":       keys,
		"task --parent":       keys,
		"task --child":        keys,
		"task --related":      keys,
		"task --fixes":        keys,
		"task --duplicate-of": keys,
	}
}

// reasons says why the other flags that take a text offer nothing.
func reasons() map[string]string {
	const (
		free   = "free text"
		when   = "a time"
		length = "a length of time"
		file   = "a file or folder, which shells complete themselves"
		climpt = "a word of a command, which its name has before it"
	)
	out := map[string]string{
		"--extensions": "as many as there are kinds of files", "--path": "a glob", "plan --from-todo": "a glob", "plan --from-issue": "an address or a number", "--url": "an address", "--http": "an address", "--allow-host": "names of hosts",
		"fleet --listen": "an address", "fleet --metrics": "an address", "fleet --traces": "an address", "fleet --remote": "an address", "fleet --host": "names of hosts", "fleet --label": "labels that only this machine has",
		"fleet --project": "a name on a server", "fleet --user": "users of another machine", "fleet unit --path": "folders of another machine", "fleet containerfile --path": "folders of another machine",
		"--tools": "the names of the tools of a server", "--runs-on": "labels of other machines", "--changed": "a range of commits", "--uv": "names and values of variables", "--seed": "any number", "sprint update --label": free,
		"command --agent": climpt, "--edition": climpt, "--adaptation": climpt,
	}
	for why, flags := range map[string][]string{
		free:                      {"--created-by", "--mentions", "archive --restore", "reset --branch", "--criterion", "--description", "--comment", "--message", "--name", "--verify", "--reason", "--title", "--goal", "--notes", "--subtitle", "--search", "update --output", "--effort"},
		when:                      {"--activity-since", "--older-than", "--due", "export --from", "export --to", "--since", "--until", "--ends-at", "--starts-at", "sprint start --at", "sprint close --at"},
		"next_cursor of a result": {"--cursor"},
		"numbers in a plan":       {"--drop", "--join", "--split", "--move", "--of", "plan change --criteria"},
		length:                    {"--budget", "--length", "--overdue-after", "--idle-timeout", "--poll", "--timeout"},
		file: {
			"--target-file", "--codequality", "--junit", "--sarif", "--summary", "--in", "review --on", "--destination", "--file", "--output", "--keep", "--ssh",
			"--key", "--svg", "--attestation", "fleet --credentials", "fleet --ca", "fleet --dir", "fleet --executable", "fleet --folder",
		},
	} {
		for _, name := range flags {
			out[name] = why
		}
	}
	return out
}

func fixedWords(list []string) offer { return func(context.Context, *source) []string { return list } }

func toolsets() (out []string) {
	for _, set := range mcp.Toolsets() {
		out = append(out, set.Name)
	}
	return out
}

func types() (out []string) {
	for _, t := range spec.Types() {
		out = append(out, string(t))
	}
	return out
}

func withEquals(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, name+"=")
	}
	return out
}

// source reads the words of the project in which a shell completes. It reports nothing.
type source struct{ app *console.App }

// project opens the project, nil outside of one.
func (s *source) project() *engine.Project {
	p, err := engine.Open(s.app.Dir, s.app.Options(nil))
	if err != nil {
		// A shell would print an error into the line that is typed.
		return nil
	}
	return p
}

func (s *source) words(ctx context.Context) view.WordsResult {
	p := s.project()
	if p == nil {
		return view.WordsResult{Providers: setup.ProviderNames()}
	}
	r, err := view.Words(ctx, p, view.WordsInput{})
	if err != nil {
		return view.WordsResult{}
	}
	return r
}

// repos lists the repositories of the settings.
func (s *source) repos() (out []string) {
	if p := s.project(); p != nil {
		for _, r := range p.Config.Repos {
			out = append(out, r.Name)
		}
	}
	return out
}

// folders lists the folders of the projects of the repository that are not at its top.
func (s *source) folders(ctx context.Context) []string {
	p := s.project()
	if p == nil {
		return nil
	}
	all, err := store.Folders(ctx, p.Repo)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(folder string) bool { return folder == "" })
}

// ids lists the specs with their titles.
func (s *source) ids(ctx context.Context) (out []string) {
	p := s.project()
	if p == nil {
		return nil
	}
	list, err := view.List(ctx, p, view.ListInput{})
	if err != nil {
		return nil
	}
	for _, row := range list.Specs {
		out = append(out, cobra.CompletionWithDesc(row.ID, string(text.Visible([]byte(row.Title)))))
	}
	return out
}

// sprints lists the numbers of the sprints with their names.
func (s *source) sprints(ctx context.Context) (out []string) {
	p := s.project()
	if p == nil {
		return nil
	}
	list, err := sprints.List(ctx, p, sprints.ListInput{})
	if err != nil {
		return nil
	}
	for _, one := range list.Sprints {
		out = append(out, cobra.CompletionWithDesc(strconv.Itoa(one.ID), string(text.Visible([]byte(one.DisplayName)))))
	}
	return out
}

// prompts lists the prompts of the project.
func (s *source) prompts(ctx context.Context) (out []string) {
	p := s.project()
	if p == nil {
		return nil
	}
	all, err := author.Prompts(ctx, p, author.PromptsInput{})
	if err != nil {
		return nil
	}
	for _, one := range all.Prompts {
		out = append(out, one.Name)
	}
	return out
}

// fields lists the fields of an export.
func (s *source) fields() []string {
	p := s.project()
	if p == nil {
		return nil
	}
	all, _ := view.ExportFields(p)
	return append(all, "all")
}
