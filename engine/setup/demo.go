package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/evidence/journal"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/engine/work"
	"chant/gitops"
)

// DemoInput selects the folder of the demonstration.
type DemoInput struct {
	Dir string `json:"dir" jsonschema:"Empty or missing folder to make the repository in"`
}

// DemoResult describes the repository after the demonstration.
type DemoResult struct {
	Dir   string            `json:"dir"`
	Runs  []work.WorkResult `json:"runs"`
	Graph string            `json:"graph"` // git log --graph
	Specs []view.Row        `json:"specs"`
}

// demoSpec is one spec of the demonstration; its script is its agent.
type demoSpec struct {
	title, script string
	criteria      []string
}

func demoSpecs() []demoSpec {
	return []demoSpec{
		{
			"Greet from a script",
			`printf '%s\n' '#!/bin/sh' 'echo "hello, world"' > greet.sh`,
			[]string{"It says hello `$ sh greet.sh | grep hello`"},
		},
		{
			"Greet by name",
			`printf '%s\n' '#!/bin/sh' 'echo "hello, ${1:-world}"' > greet.sh`,
			[]string{"A name is greeted `$ test \"$(sh greet.sh Ada)\" = \"hello, Ada\"`", "Without a name it is the world `$ sh greet.sh | grep world`"},
		},
		{
			"Describe the greeting",
			`echo 'Run "sh greet.sh NAME" to be greeted.' >> README.md
sed 's/- \[ \] A newcomer/- [x] A newcomer/' "$CHANT_SPEC_FILE" > spec.tmp
cat spec.tmp > "$CHANT_SPEC_FILE"
rm spec.tmp`,
			[]string{"The README names the script `$ grep greet.sh README.md`", "A newcomer can follow it"},
		},
	}
}

// Demo creates a repository with three specs, each of which depends on the one before and is worked by its own shell
// script, and works them in order. Errors: Conflict if the folder is not empty.
func Demo(ctx context.Context, o engine.Options, in DemoInput) (DemoResult, error) {
	result := DemoResult{Dir: in.Dir}
	p, err := demoProject(ctx, o, in.Dir)
	if err != nil {
		return result, engine.Wrap(err, "")
	}
	ids, err := addDemo(ctx, p)
	if err != nil {
		return result, engine.Wrap(err, "")
	}
	for _, id := range ids {
		done, err := work.Work(ctx, p, work.WorkInput{ID: id})
		result.Runs = append(result.Runs, done)
		if err != nil {
			return result, err
		}
	}
	list, err := view.List(ctx, p, view.ListInput{})
	if err != nil {
		return result, err
	}
	result.Specs = list.Specs
	result.Graph, err = p.Repo.Graph(ctx, 40)
	return result, engine.Wrap(err, "")
}

func demoProject(ctx context.Context, o engine.Options, dir string) (*engine.Project, error) {
	// A demonstration must not change what is there.
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, engine.Fail(engine.Conflict, next.Demo.On(), "folder %q is not empty", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	repo, err := gitops.Init(ctx, dir, "main")
	if err != nil {
		return nil, err
	}
	// The settings of this machine may have no name, or sign commits.
	err = errors.Join(
		repo.SetConfig(ctx, "user.name", "chant demo"),
		repo.SetConfig(ctx, "user.email", "demo@chant.invalid"),
		repo.SetConfig(ctx, "commit.gpgsign", "false"),
		os.WriteFile(filepath.Join(dir, "README.md"), []byte("# Greeting\n\n"), 0o644),
	)
	if err != nil {
		return nil, err
	}
	// A run starts from a commit.
	if _, err := repo.CommitAll(ctx, repo.Home(), "Begin\n"); err != nil {
		return nil, err
	}
	if _, err := Init(ctx, dir, o, InitInput{Provider: "shell", Name: "greeting"}); err != nil {
		return nil, err
	}
	return engine.Open(dir, o)
}

// addDemo adds the specs, each depending on the one before.
func addDemo(ctx context.Context, p *engine.Project) ([]string, error) {
	var ids []string
	for i, d := range demoSpecs() {
		in := author.AddInput{
			Description: fmt.Sprintf("%s\n\n## Script\n\n```sh\n%s\n```", d.title, d.script),
			Criteria:    d.criteria,
		}
		// Each one shows its work on that of the one before.
		if i > 0 {
			in.DependsOn = ids[i-1:]
		}
		added, err := author.Add(ctx, p, in)
		if err != nil {
			return nil, err
		}
		if p.Progress != nil {
			p.Progress(engine.Event{Time: p.Now(), ID: added.ID, Step: journal.Open, Kind: "step", Text: "added " + added.ID + ": " + d.title})
		}
		ids = append(ids, added.ID)
	}
	return ids, nil
}
