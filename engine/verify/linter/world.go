package linter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/format/lotar"
	"chant/engine/prompt"
	"chant/engine/prompt/library"

	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/lint"
	"chant/engine/spec/schema"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/providers/cli"
)

// newWorld returns the functions with which the rules look outside of specs. Each answer is kept for the next call.
func newWorld(p *engine.Project) lint.World {
	found := cacheAnswers(func(program string) bool { return engine.OnPath(p, program) })
	files := sync.OnceValue(func() []gitops.Entry {
		// What cannot be read is reported where it is needed.
		list, _ := p.Repo.Files(context.Background(), "HEAD")
		return list
	})
	return lint.World{
		Matches: cacheAnswers(func(glob string) bool {
			return len(files()) == 0 || slices.ContainsFunc(files(), func(f gitops.Entry) bool { return fileset.Match(glob, f.Name) })
		}),
		Command: func(word, dir string) bool {
			if strings.Contains(word, "/") && !filepath.IsAbs(word) {
				return engine.Exists(filepath.Join(engine.Home(p), filepath.FromSlash(cmp.Or(dir, p.Config.Verify.Dir)), filepath.FromSlash(word)))
			}
			return found(word)
		},
		Schema: cacheAnswers(func(path string) error { return schemaError(p, path) }),
		Context: cacheAnswers(func(path string) error {
			_, err := readNamed(p, path)
			return err
		}),
		Other: func(id string) *spec.File {
			// One that cannot be read has findings of its own.
			s, _ := p.Store.ReadHome(id)
			return s
		},
		Provider: cacheAnswers(func(name string) error {
			_, err := usage.Provider(p, name)
			return err
		}),
		HeldOut: func(s *spec.File) (has bool, readable string) {
			// Git is asked about the few specs that have some. What it cannot answer now, the run reports.
			if has = p.Store.HasHeldOut(s.ID); has || spec.BlankHeldOut(s.Doc) != s.Doc {
				readable, _ = store.ReadableHeldOut(context.Background(), p.Store, s.ID)
			}
			return has, readable
		},
		Shell:    func(s *spec.File) bool { return usage.ProviderOf(p, &s.Spec) == cli.ShellName },
		Source:   func(s *spec.File) []lint.SourceFinding { return sourceFindings(p, s) },
		Prompt:   cacheAnswers(func(name string) error { return promptError(p, name) }),
		Priority: cacheAnswers(func(word string) bool { return isTaskPriority(p, word) }),
		Extends: cacheAnswers(func(name string) error {
			_, err := prompt.Extension(p, name)
			return err
		}),
	}
}

// promptError returns why a prompt cannot be used, or that a command has variables which no spec supplies.
func promptError(p *engine.Project, name string) error {
	text, err := library.PromptText(p, name)
	if err != nil || !climpt.IsName(name) {
		return err
	}
	for _, used := range prompt.Names(text) {
		supplied := slices.ContainsFunc(prompt.SpecNames(), func(n prompt.SpecName) bool { return n.Name == used })
		if strings.HasPrefix(used, "uv-") && !supplied {
			return fmt.Errorf("prompt %q has the variable {%s}, for which a spec has no value", name, used)
		}
	}
	return nil
}

// isTaskPriority reports whether the settings of tasks have a priority.
func isTaskPriority(p *engine.Project, word string) bool {
	w, err := lotar.Find(p.Repo.Dir(), p.Environ, engine.Home(p))
	if err != nil {
		return false
	}
	st, err := w.Settings("", filepath.Base(engine.Home(p)), p.Environ)
	_, known := task.MatchEnum(word, st.Priorities)
	return err == nil && known
}

// cacheAnswers returns a function that keeps the answers of another one.
func cacheAnswers[A any](ask func(string) A) func(string) A {
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

// schemaError returns why a file below home cannot be used as an output schema: it cannot be read, is not a JSON
// Schema, or refers to other files or the network.
func schemaError(p *engine.Project, path string) error {
	src, err := readNamed(p, path)
	if err != nil {
		return err
	}
	_, err = schema.Compile(path, src)
	if problem, ok := errors.AsType[*schema.Error](err); ok {
		// Lint names the file.
		return errors.New(problem.Msg)
	}
	if out, ok := errors.AsType[*schema.RefersError](err); ok {
		return fmt.Errorf("refers to %s (%s)", out.Where, out.To)
	}
	return err
}

// readNamed reads a file below home that a spec names. Its error does not include the path.
func readNamed(p *engine.Project, path string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, errors.New("is outside of the project")
	}
	src, err := p.Store.ReadTree(engine.Home(p), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("does not exist")
	}
	if odd, ok := errors.AsType[*local.FileError](err); ok {
		return nil, errors.New(odd.Msg)
	}
	return src, err
}
