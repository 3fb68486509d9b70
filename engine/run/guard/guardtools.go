package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"regexp"
	"sync"

	"chant/engine/criteria"
	"chant/engine/spec"
	"chant/providers"
)

// toolName matches a word of a command that could be the name of a program.
var toolName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._+-]*`)
})

// tools returns the programs that the commands of a spec name, and sh, which runs them: the path of each and the hash
// of its content.
func (g *Guard) tools(s *spec.File) map[string]string {
	env, _ := criteria.Scrub(g.Environ, g.Settings.Verify.Pass, g.Worktrees(g.Tree))
	out := map[string]string{}
	look := func(name string) {
		if _, known := out[name]; known {
			return
		}
		if path, err := providers.Find(name, "", env); err == nil { // else a shell word, or not a program
			out[name] = path + " " + contentOf(path)
		}
	}
	for _, item := range criteria.PlanFor(s, s, g.Settings.Verify).Items {
		for _, step := range item.Steps {
			look("sh")
			for _, name := range toolName().FindAllString(step.Line, mostWords) {
				look(name)
			}
		}
	}
	return out
}

// mostWords bounds how many words of a command are looked up.
const mostWords = 100

// contentOf returns the hash of a program, "" if it cannot be read.
func contentOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
