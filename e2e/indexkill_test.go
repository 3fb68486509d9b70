package e2e

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/store/index"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// stores is the role of a process that is killed while it stores rows.
const stores = "stores"

// storedSpecs is how many specs the index of the kill test has: several pages.
const storedSpecs = 400

// TestIndex_killed kills processes while they write the index. Whatever they leave is sound, and answers are those of
// the files. CHANT_E2E_KILLS is how often (default: 6).
func TestIndex_killed(t *testing.T) {
	t.Parallel()
	kills, seed := number(t, "CHANT_E2E_KILLS", 2), uint64(number(t, "CHANT_E2E_SEED", int(time.Now().UnixNano()%1e9)))
	t.Logf("CHANT_E2E_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	p := newProject(t)
	for i := range storedSpecs {
		p.write(".chant/specs/"+storedSpec(i)+".md", raceText("v0000000"))
	}
	killed := 0
	for round := range kills {
		killed += p.killStoring(time.Duration(random.IntN(150))*time.Millisecond, round)
		p.checkIntegrity()
		got, want := p.listWith("always"), p.listWith("off")
		assert.Equal(t, want, got, "after kill %d: the index answers", round)
	}
	t.Logf("%d of %d processes were killed before they ended", killed, kills)
}

func storedSpec(i int) string { return fmt.Sprintf("2026-04-01-%03d-sto", i) }

// killStoring starts a process that stores rows and kills it; 1 if it was alive until then.
func (p *project) killStoring(after time.Duration, round int) int {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	c := exec.CommandContext(p.t.Context(), self)
	c.Dir, c.Stderr = p.dir, os.Stderr
	c.Env = append(slices.Clone(p.env), raceRole+"="+stores, fmt.Sprintf("RACE_NUMBER=%d", round), "RACE_FOR=10s", "RACE_LOG="+filepath.Join(p.t.TempDir(), "log"), index.Variable+"=always")
	begun, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	if _, err := begun.Read(make([]byte, 1)); err != nil { // it has begun
		p.t.Fatal(err)
	}
	time.Sleep(after) // when it dies is random
	if err := c.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	if err := c.Wait(); err == nil {
		return 0
	}
	return 1
}

// checkIntegrity lets SQLite check the index.
func (p *project) checkIntegrity() {
	p.t.Helper()
	path := filepath.Join(p.dir, ".git", "chant", index.Name)
	if _, err := os.Stat(path); err != nil {
		return // the process was killed before it had one
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	var answer string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		p.t.Fatalf("integrity_check: %q, %v", answer, err)
	}
}

// listWith lists all specs with a value of the variable of the index.
func (p *project) listWith(use string) []view.Row {
	p.t.Helper()
	project, err := engine.Open(p.dir, engine.Options{Environ: append(slices.Clone(p.env), index.Variable+"="+use)})
	if err != nil {
		p.t.Fatal(err)
	}
	list, err := view.List(p.t.Context(), project, view.ListInput{})
	if err != nil {
		p.t.Fatal(err)
	}
	return list.Specs
}

// store changes a part of the specs and lists all, again and again, so that each list stores the rows of files that were
// changed before and have settled.
func (r *racer) store() {
	for round := 0; time.Now().Before(r.end); round++ {
		for i := round % 4; i < storedSpecs; i += 4 {
			check(os.WriteFile(filepath.Join(".chant", "specs", storedSpec(i)+".md"), []byte(raceText(fmt.Sprintf("v%03d%04d", r.number%1000, round))), 0o644))
		}
		p, err := engine.Open(".", engine.Options{Environ: os.Environ()})
		check(err)
		_, err = view.List(context.Background(), p, view.ListInput{})
		check(err)
		if round == 0 {
			fmt.Print(".") // it has begun
		}
	}
}
