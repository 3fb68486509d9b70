package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// server is a running `chant mcp`.
type server struct {
	p      *project
	cmd    *exec.Cmd
	stdin  io.Closer
	in     *json.Encoder
	out    *bufio.Reader
	stderr bytes.Buffer
	last   int
}

// serve starts a server and introduces a client to it.
func (p *project) serve(args ...string) *server {
	p.b.Helper()
	s := &server{p: p, cmd: p.command(p.chant, append([]string{"mcp"}, args...)...)}
	s.cmd.Stderr = &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		p.b.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		p.b.Fatal(err)
	}
	s.stdin, s.in, s.out = in, json.NewEncoder(in), bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		p.b.Fatal(err)
	}
	s.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"}})
	return s
}

// end ends the input of the server, and waits for its end.
func (s *server) end() {
	s.p.b.Helper()
	if err := s.stdin.Close(); err != nil {
		s.p.b.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.p.b.Errorf("chant mcp: %v\n%s", err, &s.stderr)
	}
}

// measureServer measures the tools of one running server, and then its memory.
func (p *project) measureServer(times int, report func(figure)) {
	p.b.Helper()
	s := p.serve()
	tools := []struct {
		name, tool string
		arguments  map[string]any
	}{
		{"MCP list(50)", "chant_spec_list", map[string]any{"limit": 50}},
		{"MCP search", "chant_search", map[string]any{"query": "retry session"}},
		{"MCP get", "chant_spec_get", map[string]any{"id": p.ids[len(p.ids)/2]}},
		{"MCP status", "chant_status", map[string]any{}},
	}
	for _, t := range tools {
		var taken []sample
		start := time.Now()
		for run := range times {
			if run >= fewRuns && time.Since(start) > longRow {
				break
			}
			taken = append(taken, s.call("tools/call", map[string]any{"name": t.tool, "arguments": t.arguments}))
		}
		f := figure{Row: t.name, Specs: len(p.ids)}
		f.Millis, _ = medians(taken)
		report(f)
	}
	s.reportMemory("MCP server, memory after an answer", report)
	time.Sleep(idleFor)
	s.reportMemory("MCP server, memory when idle", report)
	s.end()
}

// idleFor is how long a server waits before the memory of an idle one is measured.
const idleFor = 2 * time.Second

// reportMemory reports the resident memory of the server.
func (s *server) reportMemory(row string, report func(figure)) {
	memory, err := residentMemory(s.cmd.Process.Pid)
	if err != nil {
		s.p.b.Logf("%s: not measured: %v", row, err)
		return
	}
	report(figure{Row: row, Specs: len(s.p.ids), MiB: float64(memory) / (1 << 20)})
}

// call sends one request and waits for its response.
func (s *server) call(method string, params map[string]any) sample {
	s.p.b.Helper()
	s.last++
	start := time.Now()
	if err := s.in.Encode(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params}); err != nil {
		s.p.b.Fatal(err)
	}
	for {
		line, err := s.out.ReadBytes('\n')
		wall := time.Since(start)
		if err != nil {
			s.p.b.Fatalf("%s %v: %v\n%s", method, params, err, &s.stderr)
		}
		var reply struct {
			ID     int
			Result struct{ IsError bool }
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			s.p.b.Fatalf("%v in %s", err, line)
		}
		if reply.ID != s.last {
			continue // a notification
		}
		if reply.Result.IsError || len(reply.Error) > 0 {
			s.p.b.Fatalf("%s %v: %s", method, params, line)
		}
		return sample{wall: wall}
	}
}

// vmRSS reads the resident memory from the text of /proc/PID/status.
func vmRSS(status string) (int64, error) {
	for line := range strings.Lines(status) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("no VmRSS in %q", status)
}
