package e2e

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestCodeWorktrees has an agent edit in each of five worktrees, each with a server of its own: no answer shows the code
// of another worktree, and each shows the last edit of its own.
func TestCodeWorktrees(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	p.write("shared.go", "package shared\n\n// Marker marks all worktrees.\nfunc Marker() string { return \"all\" }\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "code")
	const trees, rounds = 5, 4
	for n := range trees {
		p.git("worktree", "add", "-q", "-b", "tree-"+strconv.Itoa(n), filepath.Join(p.dir, "..", "tree "+strconv.Itoa(n)))
	}
	p.chant("index")
	for n := range trees {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(p.dir, "..", "tree "+strconv.Itoa(n))
			m := p.serve(t, dir, "--toolsets", "code")
			for round := range rounds {
				own := fmt.Sprintf("Marker%dRound%d", n, round)
				enginetest.Write(t, dir, "own.go", "package own\n\n// "+own+" is a marker.\nfunc "+own+"() {}\n")
				if round == rounds-1 {
					enginetest.Git(t, dir, "add", "own.go")
					enginetest.Git(t, dir, "commit", "-qm", "own")
				}
				raw := m.call("search_code", map[string]any{"query": "marker", "limit": 100, "format": "json"})
				text := raw.text()
				assert.False(t, raw.Result.IsError, "round %d: %s", round, text)
				assert.NotEqual(t, 0, strings.Count(text, own+"()"), "round %d", round)
				assert.Equal(t, strings.Count(text, own), strings.Count(text, "Round"), "round %d", round)
				assert.Contains(t, text, "func Marker()", "round %d", round)
			}
			m.end()
		})
	}
}

// TestCodeKill kills processes that index code, at any moment: the index is never corrupt, code is found all the same, and
// in the end it has what a new index has. CHANT_E2E_CODE_KILLS is how many are killed.
func TestCodeKill(t *testing.T) {
	t.Parallel()
	kills, seed := number(t, "CHANT_E2E_CODE_KILLS", 3), uint64(number(t, "CHANT_E2E_SEED", int(time.Now().UnixNano()%1e9)))
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p := newMCPProject(t)
	const files = 400
	for n := range files {
		p.write(fmt.Sprintf("code/f%d.go", n), codeFile(n, 0))
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "code")
	hits := 0
	begin := time.Now()
	p.chant("index", "--force")
	whole := time.Since(begin) // of which each kill takes a moment
	for n := range kills {
		for range files / 4 {
			i := random.IntN(files)
			p.write(fmt.Sprintf("code/f%d.go", i), codeFile(i, n+1))
		}
		args := []string{"index"}
		if random.IntN(3) == 0 {
			args = append(args, "--force")
		}
		if p.killAfter(time.Duration(random.Int64N(int64(whole))), args...) {
			hits++
		}
		if n%10 == 0 { // the query below mends what is missing: without it, kills add up
			p.checkIntegrity()
			if out := p.chant("code", "Handle"+strconv.Itoa(files/2), "--limit", "1", "--lines", "0"); !strings.HasPrefix(out, fmt.Sprintf("code/f%d.go:", files/2)) {
				t.Errorf("after kill %d: %s", n, out)
			}
		}
	}
	t.Logf("%d of %d were killed before their end", hits, kills)
	p.checkIntegrity()
	counts := func() []string {
		first, _, _ := strings.Cut(p.chant("index"), "\n")
		return strings.Fields(first)
	}
	mended := counts()
	p.chant("index", "--force")
	assert.Equal(t, counts(), mended, "after the kills")
}

// codeFile is the nth file in a version.
func codeFile(n, version int) string {
	return fmt.Sprintf("package code\n\n// Handle%d handles version %d.\nfunc Handle%d() int {\n\treturn %d\n}\n", n, version, n, version)
}
