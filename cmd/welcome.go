package cmd

import (
	"errors"
	"fmt"
	"io"

	"chant/engine"
	"chant/engine/store"
	"chant/gitops"
)

// welcome prints what to do where chant is called without a command and there is no project. It returns false, and
// prints nothing, where there is one.
func welcome(s Env) bool {
	_, err := engine.Open(s.Dir, engine.Options{Environ: s.Environ})
	first := ""
	switch {
	case errors.Is(err, gitops.ErrNotRepository):
		first = "git init     make this folder a git repository, then:\n  chant init   make it a chant project"
	case errors.Is(err, store.ErrNotInitialized):
		first = "chant init   make this repository one"
	default:
		return false
	}
	_, err = io.WriteString(s.Out, fmt.Sprintf(`There is no chant project here. A project is a git repository with specs.
  %s
  chant demo   show how three specs become merged commits, in a folder of its own
  chant guide  read the manual
  chant help   list the commands
`, first))
	return err == nil
}
