package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

const mcpPing = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`

// TestMCP_badLines sends what no client should; each line is refused and the next
// one answered.
func TestMCP_badLines(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	m := p.serve(t, p.dir)
	const deep = 100_000
	nested := strings.Repeat("[", deep) + strings.Repeat("]", deep)
	for _, tt := range []struct {
		name, line string
		code       int
		text       string
	}{
		{"64 MB", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"` + strings.Repeat("x", 64<<20) + `"}}`, -32600, "longer than"},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xc3\x28\"}}", -32700, "Parse error: message is not valid UTF-8"},
		{"opened only", strings.Repeat("[", deep), -32700, "Parse error: "},
		{"nested", nested, -32700, "Parse error: "},
		{"nested in arguments", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chant_status","arguments":{"brief":` + nested + `}}}`, -32700, "Parse error: "},
	} {
		m.write(tt.line)
		m.write(mcpPing)
		r := m.read()
		assert.NotZero(t, r.Error, "%s", tt.name)
		assert.Equal(t, tt.code, r.Error.Code, "%s", tt.name)
		assert.Contains(t, r.Error.Message, tt.text, "%s", tt.name)
		assert.Equal(t, "null", string(r.ID), "%s", tt.name)
		r = m.read()
		assert.Equal(t, `"ping"`, string(r.ID), "after %s", tt.name)
		assert.Zero(t, r.Error, "after %s", tt.name)
	}
	m.end()
}

// TestMCP_threeServersWriteOneSpec has three processes append to one spec at the
// same time: to home's copy, a commit each, and inside its run to the run's copy.
func TestMCP_threeServersWriteOneSpec(t *testing.T) {
	t.Parallel()
	const servers, appends = 3, 20
	for name, inRun := range map[string]bool{"home": false, "run": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			dir := p.dir
			if inRun {
				dir = p.startSlow(mcpID)
			}
			before := p.updates()
			// All three are asked before any answer is awaited. Parallel subtests would ask
			// too, but they wait behind every other test for their turn.
			var asked [servers]*mcpPipe
			for s := range asked {
				asked[s] = p.serve(t, dir)
			}
			for n := range appends {
				for s, m := range asked {
					m.begin("chant_spec_update", map[string]any{"id": "007", "output": fmt.Sprintf("line %d of %d.", n, s)})
				}
				for s, m := range asked {
					r := m.read()
					assert.Zero(t, r.Error, "line %d of %d is answered", n, s)
					assert.False(t, r.Result.IsError, "line %d of %d is answered with %+v", n, s, r)
				}
			}
			for _, m := range asked {
				m.end()
			}
			src, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", mcpID+".md"))
			assert.NoError(t, err)
			for s := range servers {
				for n := range appends {
					if line := fmt.Sprintf("\nline %d of %d.\n", n, s); strings.Count(string(src), line) != 1 {
						t.Errorf("%q appears there %d times", line, strings.Count(string(src), line))
					}
				}
			}
			want := servers * appends
			if inRun {
				want = 0 // the run commits its copy when the agent has ended
			} else if got := p.git("status", "--porcelain"); got != "" {
				t.Errorf("git status:\n%s", got)
			}
			assert.Equal(t, want, p.updates()-before)
		})
	}
}

// updates counts the commits of updates in all of the history.
func (p *project) updates() int {
	p.t.Helper()
	return strings.Count(p.git("log", "--all", "--format=%s"), "chant("+mcpID+"): update")
}

// TestMCP_fileBreaksWhileServed: a file that breaks while it is served is reported
// with its line, hides no other, and is well again once it is mended.
func TestMCP_fileBreaksWhileServed(t *testing.T) {
	t.Parallel()
	p := newMCPProject(t)
	p.addFile(crashID, crashSpec)
	m := p.serve(t, p.dir)
	list := func() string { return m.call("chant_spec_list", map[string]any{}).text() }
	assert.NotContains(t, list(), "invalid")
	path := filepath.Join(p.dir, ".chant", "specs", mcpID+".md")
	assert.NoError(t, os.WriteFile(path, []byte("---\nstatus: pending\nlabels: [a\n---\n# Greet the reader\n"), 0o644))
	got := list()
	for _, want := range []string{`"status": "invalid"`, mcpID + ".md:", crashID, `"Survive"`} {
		assert.Contains(t, got, want)
	}
	m.refused(mcpID+".md:", "chant_spec_get", map[string]any{"id": "007"})
	m.refused(mcpID+".md:", "chant_spec_update", map[string]any{"id": "007", "output": "x"})
	if got := m.do("chant_spec_get", map[string]any{"id": crashID}); got["title"] != "Survive" {
		t.Errorf("the other spec: %v", got)
	}
	assert.NoError(t, os.WriteFile(path, []byte(mcpSpec), 0o644))
	if got := m.do("chant_spec_get", map[string]any{"id": "007"}); got["title"] != "Greet the reader" || strings.Contains(list(), "invalid") {
		t.Errorf("mended: %v", got)
	}
	m.end()
}

// TestMCP_projectIsRemoved takes the project away under the server: calls fail in
// words, nothing is made again, and the server ends as ever.
func TestMCP_projectIsRemoved(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a folder in use cannot be removed")
	}
	for name, gone := range map[string]string{"project": ".chant", "repository": "."} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			m := p.serve(t, p.dir)
			m.do("chant_spec_get", map[string]any{"id": "007"})
			assert.NoError(t, os.RemoveAll(filepath.Join(p.dir, gone)))
			id := map[string]any{"id": "007"}
			for tool, args := range map[string]map[string]any{
				"chant_spec_list": {}, "chant_spec_get": id, "chant_status": {}, "chant_log": id, "chant_verify": id,
				"chant_spec_update": {"id": "007", "output": "x"}, "chant_add": {"description": "x"}, "chant_finalize": id,
				"chant_work_start": id, "chant_work_list": {}, "chant_pause": id,
			} {
				m.refused("Chant not initialized. Run `chant init` first.", tool, args)
			}
			m.end()
			_, err := os.Lstat(filepath.Join(p.dir, ".chant"))
			assert.True(t, os.IsNotExist(err), "the folder is back: %v", err)
		})
	}
}
