package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/providers"
)

// toolName matches a word of a command that could be the name of a program.
var toolName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._+-]*`)
})

// tools returns the programs that the commands of a spec name, sh, which runs them, and git and chant, which run
// always: the path of each and the hash of its content.
func (g *Guard) tools(s *spec.File) map[string]string {
	env, _ := criteria.Scrub(g.Environ, g.Settings.Verify.Pass, g.Trees.Worktrees(g.Trees.Tree))
	out := map[string]string{}
	look := func(name string) {
		if _, known := out[name]; known {
			return
		}
		// Otherwise it is a word of the shell, or no program.
		if path, err := providers.Find(name, "", env); err == nil {
			out[name] = path + " " + g.contentOf(path)
		}
	}
	look("git")
	// Chant itself is compared by what the kernel records of it: reading it would take longer than all else.
	if own := ownTool(g.Chant); own != "" {
		out[chantTool] = own
	}
	for _, item := range criteria.PlanFor(s, s, g.Settings.Verify).Items {
		for _, step := range item.Steps {
			look("sh")
			// Every word is looked up, since only a shell could say which of them are programs.
			for _, name := range toolName().FindAllString(step.Line, maxWords) {
				look(name)
			}
		}
	}
	return out
}

// chantTool is the name of this program among the tools.
const chantTool = "chant"

// ownTool identifies this program, "" if its path is unknown.
func ownTool(path string) string {
	if path == "" {
		return ""
	}
	return path + " " + identityOf(path)
}

// maxWords bounds how many words of a command are looked up.
const maxWords = 100

// content is the hash of a file with this stamp.
type content struct {
	at  disk.Stamp
	sum string
}

// contentOf returns the hash of a program, "" if it cannot be read. A program that was not written since is not read
// again.
func (g *Guard) contentOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	at := disk.FromInfo(info)
	// A file that was written within the resolution of its time may change once more under the same stamp.
	if known, ok := g.contents[path]; ok && at.Settled(time.Now()) && known.at == at {
		return known.sum
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return ""
	}
	sum := hex.EncodeToString(hash.Sum(nil)[:8])
	if g.contents == nil {
		g.contents = map[string]content{}
	}
	g.contents[path] = content{at, sum}
	return sum
}

// identityOf describes a program by what the kernel records of it: a large one would take too long to read.
func identityOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d", disk.FromInfo(info).Inode, info.Size(), info.ModTime().UnixNano())
}
