package linter

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/lint"
	"chant/engine/schema"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers/cli"
)

// lintWorld answers what lint cannot see in specs; each answer is found once.
func lintWorld(p *engine.Project) lint.World {
	found := once(func(program string) bool { return engine.OnPath(p, program) })
	return lint.World{
		Command: func(word, dir string) bool {
			if strings.Contains(word, "/") && !filepath.IsAbs(word) {
				return engine.Exists(filepath.Join(engine.Home(p), filepath.FromSlash(cmp.Or(dir, p.Config.Verify.Dir)), filepath.FromSlash(word)))
			}
			return found(word)
		},
		Schema: once(func(path string) error { return schemaError(p, path) }),
		Context: once(func(path string) error {
			_, err := namedFile(p, path)
			return err
		}),
		Provider: once(func(name string) error {
			_, err := agent.Provider(p, name)
			return err
		}),
		Shell: func(s *spec.Spec) bool { return agent.ProviderOf(p, s) == cli.ShellName },
		Prompt: once(func(name string) error {
			_, err := agent.PromptText(p, name)
			return err
		}),
		Extends: once(func(name string) error {
			_, err := agent.Extension(p, name)
			return err
		}),
	}
}

// once remembers the answers of a function.
func once[A any](ask func(string) A) func(string) A {
	known := map[string]A{}
	return func(text string) A {
		answer, ok := known[text]
		if !ok {
			answer = ask(text)
			known[text] = answer
		}
		return answer
	}
}

// schemaError says why a file below home is no JSON Schema that a run could hold
// output against: one that is none, or that refers to other files or the network.
func schemaError(p *engine.Project, path string) error {
	src, err := namedFile(p, path)
	if err != nil {
		return err
	}
	_, err = schema.Compile(path, src)
	if problem, ok := errors.AsType[*schema.Error](err); ok {
		return errors.New(problem.Msg) // lint names the file
	}
	if out, ok := errors.AsType[*schema.RefersError](err); ok {
		return fmt.Errorf("refers to %s (%s)", out.Where, out.To)
	}
	return err
}

// namedFile reads a file below home that a spec names. Its error says why not, without the
// path.
func namedFile(p *engine.Project, path string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, errors.New("lies outside of the project")
	}
	src, err := p.Store.ReadTree(engine.Home(p), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("does not exist")
	}
	if odd, ok := errors.AsType[*store.FileError](err); ok {
		return nil, errors.New(odd.Msg)
	}
	return src, err
}
