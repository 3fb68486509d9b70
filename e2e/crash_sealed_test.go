package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// sealedSpec counts how often its agent runs and its criterion holds, in files beside the repository. On the base it does not.
const sealedSpec = `---
status: pending
---
# Survive

## Script

` + "```sh" + `
echo x >> "$HOME/agents"
echo uncommitted > uncommitted.txt
` + "```" + `

## Acceptance Criteria

- [ ] it is there ` + "`$ test -s uncommitted.txt && echo x >> \"$HOME/checks\"`" + `
`

// TestCrash_sealed kills chant at every journaled step on a machine with a key. The run resumes after the last step that
// ended: no step that had ended is carried out again, and none is left out.
func TestCrash_sealed(t *testing.T) {
	t.Parallel()
	for _, point := range crashPoints() {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			p := sealedCrash(t, point)
			before := p.ended()
			if !p.landed() {
				p.chant("work", crashID)
			}
			p.chant("cleanup", "--yes")
			p.nothingLeft()
			after := p.ended()
			for _, step := range []string{"setup", "agent", "collect", "verify", "complete"} {
				again := step == "setup" && strings.HasPrefix(point, "agent:") && point != "agent:done" // the agent may have undone it
				if slices.Contains(before, step) && count(after, step) != 1 && !again {
					t.Errorf("killed at %s: %s ended %d times: %q", point, step, count(after, step), after)
				}
				assert.SliceContains(t, after, step, "killed at %s", point)
			}
			if slices.Contains(before, "verify") && p.lines("checks") != 1 {
				t.Errorf("killed at %s: the criterion ran %d times", point, p.lines("checks"))
			}
			assert.Contains(t, p.chant("verify", crashID), `SIGNED by "ada"`, "the evidence is not signed:")
		})
	}
}

// sealedCrash is a project with a trusted key whose run was killed.
func sealedCrash(t *testing.T, point string) *project {
	t.Helper()
	p := newProject(t)
	p.chant("key", "init")
	p.chant("key", "trust", "ada")
	p.addFile(crashID, sealedSpec)
	out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashID)
	assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
	return p
}

// ended lists the steps that have ended, by the journal.
func (p *project) ended() (steps []string) {
	p.t.Helper()
	src, err := os.ReadFile(p.journal())
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(src)) {
		var rec struct{ Step, State, Seal string }
		if err := json.Unmarshal([]byte(line), &rec); err != nil || rec.Seal == "" {
			p.t.Errorf("not a sealed record: %s (%v)", line, err)
		}
		if rec.State == "done" {
			steps = append(steps, rec.Step)
		}
	}
	return steps
}

func (p *project) journal() string {
	return filepath.Join(p.dir, ".git", "chant", "runs", crashID+".jsonl")
}

// lines counts the lines of a file beside the repository.
func (p *project) lines(name string) int {
	src, err := os.ReadFile(filepath.Join(filepath.Dir(p.dir), name))
	if err != nil {
		return 0
	}
	return strings.Count(string(src), "\n")
}

func count(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

// TestCrash_unsealed: what is written into the journal of a killed run without the key does not count, nor do records that
// were changed, moved or repeated, or that follow a record which was taken out.
func TestCrash_unsealed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		point  string
		change func(lines []string) []string
		again  []string // steps that are carried out again
	}{
		"nothing is changed":  {"verify:done", func(lines []string) []string { return lines }, nil},
		"a step is made up":   {"agent:done", func(lines []string) []string { return append(lines, madeUp(lines, "verify")) }, []string{"collect"}},
		"the last is dropped": {"verify:done", func(lines []string) []string { return lines[:len(lines)-1] }, []string{"verify"}},
		"one is taken out":    {"verify:done", func(lines []string) []string { return slices.Delete(lines, len(lines)-3, len(lines)-2) }, []string{"collect", "verify"}},
		"one is changed": {"verify:done", func(lines []string) []string {
			lines[len(lines)-1] = strings.Replace(lines[len(lines)-1], `"holds":true`, `"holds":null`, 1)
			return lines
		}, []string{"verify"}},
		"a seal is removed": {"verify:done", func(lines []string) []string {
			lines[len(lines)-1] = lines[len(lines)-1][:strings.Index(lines[len(lines)-1], `,"seal":`)] + "}"
			return lines
		}, []string{"verify"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := sealedCrash(t, tc.point)
			src, err := os.ReadFile(p.journal())
			assert.NoError(t, err)
			lines := tc.change(strings.Split(strings.TrimSpace(string(src)), "\n"))
			assert.NoError(t, os.WriteFile(p.journal(), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
			checks := p.lines("checks")
			p.chant("work", crashID)
			assert.True(t, p.landed(), "it did not land")
			journal, err := os.ReadFile(p.journal())
			assert.NoError(t, err)
			rest := strings.Join(strings.Split(strings.TrimSpace(string(journal)), "\n")[len(lines):], "\n")
			for _, step := range []string{"collect", "verify"} {
				got, want := strings.Contains(rest, `"step":"`+step+`","state":"begin"`), slices.Contains(tc.again, step) || tc.point == "agent:done"
				assert.Equal(t, want, got, "%s was carried out again: %s", step, rest)
			}
			ran := p.lines("checks") > checks
			assert.False(t, ran != slices.Contains(tc.again, "verify") && tc.point != "agent:done", "the criterion ran again: %t", ran)
		})
	}
}

// madeUp is a record that says that a step has ended, with the seal of another record.
func madeUp(lines []string, step string) string {
	last := lines[len(lines)-1]
	return `{"time":"2026-01-02T12:00:00Z","attempt":1,"step":"` + step + `","state":"done","data":{"verified":true}` + last[strings.Index(last, `,"seal":`):]
}
