package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// The writers of TestTasks_concurrent and how many changes each makes.
const (
	taskServers  = 2
	taskCommands = 5
)

// taskShare is how many changes each server makes; the commands share the same number three times.
func taskShare() int { return sizeOf(10, 40) }

func taskChanges() int { return (taskServers + 3) * taskShare() }

// TestTasks_concurrent lets two servers and five processes write 200 changes (50 for each change of chant) to the same ten tasks: comments, titles and
// new tasks. Each change is there afterwards, in the files and in the history, and git finds nothing wrong.
func TestTasks_concurrent(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/task")
	p := newProject(t)
	const shared = 10
	for i := range shared {
		p.chant("task", "create", fmt.Sprintf("Shared %d", i), "--project", "AUTH")
	}
	before := strings.Count(p.git("log", "--format=%H"), "\n")
	var all sync.WaitGroup
	for s := range taskServers {
		all.Go(func() { p.serveChanges(fmt.Sprintf("server%d", s), taskShare(), shared) })
	}
	for c := range taskCommands {
		all.Go(func() { p.commandChanges(fmt.Sprintf("command%d", c), 3*taskShare()/taskCommands, shared) })
	}
	all.Wait()

	var list struct {
		Total int
		Tasks []struct {
			ID       string
			Title    string
			Comments []struct{ Text string }
		}
	}
	texts, ids := map[string]int{}, map[string]bool{}
	for cursor := 0; cursor == 0 || cursor < list.Total; cursor += 200 {
		list.Tasks = nil
		assert.NoError(t, json.Unmarshal([]byte(p.chant("task", "list", "--json", "--limit", "200", "--cursor", fmt.Sprint(cursor))), &list))
		for _, one := range list.Tasks {
			assert.False(t, ids[one.ID], "number %s was given twice", one.ID)
			ids[one.ID] = true
			texts[one.Title]++
			for _, c := range one.Comments {
				texts[c.Text]++
			}
		}
	}
	lost := 0
	for _, who := range taskWriters() {
		n := taskShare()
		if strings.HasPrefix(who, "command") {
			n = 3 * taskShare() / taskCommands
		}
		for i := range n {
			if texts[changeText(who, i)] != 1 {
				lost++
			}
		}
	}
	assert.True(t, lost <= 0, "%d of %d changes are lost or there twice", lost, taskChanges())
	assert.Equal(t, taskChanges(), strings.Count(p.git("log", "--format=%H"), "\n")-before)
	assert.Equal(t, "", p.git("fsck", "--strict", "--no-dangling"))
	assert.Equal(t, "", p.git("status", "--porcelain"))
}

func taskWriters() []string {
	var out []string
	for s := range taskServers {
		out = append(out, fmt.Sprintf("server%d", s))
	}
	for c := range taskCommands {
		out = append(out, fmt.Sprintf("command%d", c))
	}
	return out
}

// changeText is what a writer writes with its nth change.
func changeText(who string, n int) string { return fmt.Sprintf("%s change %d", who, n) }

// isComment reports whether a change is a comment; the others create tasks.
func isComment(n int) bool { return n%5 != 0 }

// commandChanges makes changes with a process for each.
func (p *project) commandChanges(who string, n, shared int) {
	for i := range n {
		args := []string{"task", "comment", fmt.Sprintf("AUTH-%d", 1+i%shared), "-m", changeText(who, i)}
		if !isComment(i) {
			args = []string{"task", "create", changeText(who, i), "--project", "AUTH"}
		}
		c := exec.Command(p.program, args...)
		c.Dir, c.Env = p.dir, p.env
		if out, err := c.CombinedOutput(); err != nil {
			p.t.Errorf("chant %q: %v\n%s", args, err, out)
		}
	}
}

// serveChanges makes changes through a server, in lotar's dialect.
func (p *project) serveChanges(who string, n, shared int) {
	c := exec.Command(p.program, "mcp", "--toolsets", "tasks")
	c.Dir, c.Env = p.dir, append(slices.Clone(p.env), "LOTAR_MCP_AUTORELOAD=0")
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Error(err)
		return
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		p.t.Error(err)
		return
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for i := range n {
		method, params := "task/comment_add", map[string]any{"id": fmt.Sprintf("AUTH-%d", 1+i%shared), "text": changeText(who, i)}
		if !isComment(i) {
			method, params = "task/create", map[string]any{"title": changeText(who, i), "project": "AUTH"}
		}
		request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": i, "method": method, "params": params})
		if err == nil {
			_, err = in.Write(append(request, '\n'))
		}
		if err != nil || !lines.Scan() {
			p.t.Errorf("%s: no reply to change %d: %v, %v", who, i, err, lines.Err())
			break
		}
		var reply struct{ Error json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &reply); err != nil || reply.Error != nil {
			p.t.Errorf("%s: change %d: %s, %v", who, i, reply.Error, err)
		}
	}
	if err := in.Close(); err != nil {
		p.t.Error(err)
	}
	if err := c.Wait(); err != nil {
		p.t.Error(err)
	}
}
