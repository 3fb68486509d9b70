package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"chant/engine/lint"
	"chant/engine/schema"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers/cli"
)

// lintWorld answers what lint cannot see in specs; each answer is found once.
func (e *Engine) lintWorld() lint.World {
	found := once(e.onPath)
	return lint.World{
		Command: func(word, dir string) bool {
			if strings.Contains(word, "/") && !filepath.IsAbs(word) {
				return exists(filepath.Join(e.Home(), filepath.FromSlash(cmp.Or(dir, e.config.Verify.Dir)), filepath.FromSlash(word)))
			}
			return found(word)
		},
		Schema: once(e.schemaError),
		Context: once(func(path string) error {
			_, err := e.namedFile(path)
			return err
		}),
		Provider: once(func(name string) error {
			_, err := e.provider(name)
			return err
		}),
		Shell: func(s *spec.Spec) bool { return e.providerOf(s) == cli.ShellName },
		Prompt: once(func(name string) error {
			_, err := e.promptText(name)
			return err
		}),
		Extends: once(func(name string) error {
			_, err := e.extension(name)
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
func (e *Engine) schemaError(path string) error {
	src, err := e.namedFile(path)
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
func (e *Engine) namedFile(path string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, errors.New("lies outside of the project")
	}
	src, err := e.store.ReadTree(e.Home(), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("does not exist")
	}
	if odd, ok := errors.AsType[*store.FileError](err); ok {
		return nil, errors.New(odd.Msg)
	}
	return src, err
}
