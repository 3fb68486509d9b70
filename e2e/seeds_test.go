package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// seed is a document that describes a server whose clients chant serves, and all that it says which they can notice.
type seed struct {
	name    string // the heading of its differences in `chant guide mcp`
	over    []transport
	args    []string // of `chant mcp`
	hello   string   // the parameters of initialize; "" = it is not sent, as by a shell
	project func(*testing.T) *project
	says    []statement
}

// transport is how a client reaches the server.
type transport string

const (
	overLines   transport = "lines"   // a pipe, a message in each line
	overHeaders transport = "headers" // a pipe, each message behind a header with its length
	overHTTP    transport = "http"
)

// statement is one thing that a document says, with the request that shows it.
type statement struct {
	lines string // of the document, such as "463" or "463-470"
	says  string
	// differs names the row of `chant guide mcp` that gives the reason why chant does something else, or which side it
	// takes where the document contradicts itself; want is then what chant does. "" = as the document says.
	differs string

	// One of the three is sent. In args and raw {dir} is the folder of the project.
	tool   string // a call of it with args
	method string // a request with args as its parameters
	raw    string // a message as it is
	args   string // a JSON object; "" = {} for a tool, no parameters for a method
	silent bool   // there is no reply: a notification

	// What the reply has to be. JSON is compared as matches describes it.
	want  string                                      // JSON of the whole message
	text  string                                      // the text of its first content; with ~ first a regular expression
	data  string                                      // JSON that the text is, or that follows its first line
	check func(*testing.T, *seedClient, seedReply)    // what a comparison cannot show; may be nil
	first func(*testing.T, *project)                  // before the request is sent; may be nil
	notes func(t *testing.T, before []map[string]any) // the notifications before the reply; may be nil
	only  transport                                   // "" = over all that the seed has
}

// run compares a server with all statements, in their order, over each transport with a project of its own.
func (s seed) run(t *testing.T) {
	t.Helper()
	reasons := differences(t, s.name)
	for _, st := range s.says {
		if st.differs != "" && !slices.Contains(reasons, st.differs) {
			t.Errorf("%s: the guide gives no reason for %q under %q", st.lines, st.differs, s.name)
		}
	}
	for _, reason := range reasons {
		if !slices.ContainsFunc(s.says, func(st statement) bool { return st.differs == reason }) {
			t.Errorf("no statement shows the difference %q of the guide", reason)
		}
	}
	for _, over := range s.over {
		t.Run(string(over), func(t *testing.T) {
			t.Parallel()
			c := s.connect(t, over)
			for _, st := range s.says {
				if st.only == "" || st.only == over {
					t.Run(st.lines+" "+st.says, func(t *testing.T) { c.compare(t, st) })
				}
			}
		})
	}
}

// differences returns what the guide names as different from the document of this heading: the first cells of its table.
func differences(t *testing.T, heading string) []string {
	t.Helper()
	_, section, found := strings.Cut(guidePage(t, "mcp"), "\n## "+heading+"\n")
	assert.True(t, found, "chant guide mcp has no heading %q", heading)
	section, _, _ = strings.Cut(section, "\n## ")
	var out []string
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) == 6 && !strings.HasPrefix(cells[1], "---") && strings.TrimSpace(cells[1]) != "what" {
			out = append(out, strings.TrimSpace(cells[1]))
		}
	}
	return out
}

// seedClient is a client of one server.
type seedClient struct {
	project *project
	over    transport
	last    int // id of the last request

	in  io.Writer
	out *bufio.Reader

	http    *mcpHTTP
	session string // over HTTP, "" before initialize
}

// seedReply is a reply in full.
type seedReply map[string]any

// text is the text of the first content.
func (r seedReply) text() string {
	result, _ := r["result"].(map[string]any)
	content, _ := result["content"].([]any)
	if len(content) == 0 {
		return ""
	}
	first, _ := content[0].(map[string]any)
	text, _ := first["text"].(string)
	return text
}

// connect starts a server, which ends with the test at the latest.
func (s seed) connect(t *testing.T, over transport) *seedClient {
	t.Helper()
	c := &seedClient{project: s.project(t), over: over}
	if over == overHTTP {
		c.http = c.project.serveHTTP(s.args...)
	} else {
		m := c.project.serve(t, c.project.dir, s.args...)
		c.in, c.out = m.in, m.out
	}
	if s.hello != "" {
		c.ask(t, "initialize", s.hello)
		c.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
}

// compare sends the request of a statement and compares the reply.
func (c *seedClient) compare(t *testing.T, s statement) {
	t.Helper()
	if s.first != nil {
		s.first(t, c.project)
	}
	var got seedReply
	var notes []map[string]any
	switch {
	case s.raw != "":
		reply := c.send(t, s.raw)
		if s.silent {
			return // a reply would be taken for that of the next request, which fails
		}
		got, notes = c.receive(t, reply, nil)
	case s.method != "":
		got, notes = c.ask(t, s.method, s.args)
	default:
		args := s.args
		if args == "" {
			args = "{}"
		}
		got, notes = c.ask(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, s.tool, args))
		if result, ok := got["result"].(map[string]any); ok {
			checkReply(t, s.tool, result["structuredContent"], result["isError"] == true)
		}
	}
	if s.notes != nil {
		s.notes(t, notes)
	}
	if s.want != "" {
		compareJSON(t, "the reply", got, s.want)
	}
	if s.text != "" {
		if why := matches(got.text(), s.text, ""); why != nil {
			t.Errorf("the text: %s\nin %s", why, indented(got))
		}
	}
	if s.data != "" {
		compareJSON(t, "the text", jsonIn(got.text()), s.data)
	}
	if s.check != nil {
		s.check(t, c, got)
	}
}

// ask sends a request and returns its reply with the notifications that came before it. params is JSON, "" for none.
func (c *seedClient) ask(t *testing.T, method, params string) (seedReply, []map[string]any) {
	t.Helper()
	c.last++
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q`, c.last, method)
	if params != "" {
		message += `,"params":` + params
	}
	return c.receive(t, c.send(t, message+"}"), c.last)
}

// send sends a message and returns, over HTTP, the body of the reply.
func (c *seedClient) send(t *testing.T, message string) []byte {
	t.Helper()
	message = strings.ReplaceAll(message, "{dir}", filepath.ToSlash(c.project.dir))
	switch c.over {
	case overHeaders:
		message = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
	case overLines:
		var line bytes.Buffer
		if json.Compact(&line, []byte(message)) == nil { // some are meant to be no JSON
			message = line.String()
		}
		message += "\n"
	case overHTTP:
		return c.post(t, message)
	}
	_, err := io.WriteString(c.in, message)
	assert.NoError(t, err)
	return nil
}

// post sends a message over HTTP.
func (c *seedClient) post(t *testing.T, message string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.http.URL, strings.NewReader(message))
	assert.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	reply, err := c.http.RoundTrip(r)
	assert.NoError(t, err)
	defer reply.Body.Close()
	if id := reply.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	body, err := io.ReadAll(reply.Body)
	assert.NoError(t, err)
	return body
}

// receive reads the reply with this id, nil for the next one that has none; body is what HTTP has answered.
func (c *seedClient) receive(t *testing.T, body []byte, id any) (got seedReply, notes []map[string]any) {
	t.Helper()
	messages := bufio.NewReader(bytes.NewReader(body))
	for {
		var message []byte
		var err error
		if c.over == overHTTP {
			message, err = fromEvents(messages)
		} else {
			message, err = c.read()
		}
		assert.NoError(t, err, "%q", message)
		var one map[string]any
		assert.NoError(t, json.Unmarshal(message, &one), "%q", message)
		if _, notified := one["method"]; notified {
			notes = append(notes, one)
			continue
		}
		assert.False(t, id != nil && fmt.Sprint(one["id"]) != fmt.Sprint(id), "the reply is to %v, want %v: %s", one["id"], id, message)
		return one, notes
	}
}

// fromEvents reads one message of a body over HTTP, which is the message itself or a stream of events.
func fromEvents(r *bufio.Reader) ([]byte, error) {
	for {
		line, err := r.ReadBytes('\n')
		data, event := bytes.CutPrefix(line, []byte("data:"))
		if event && len(bytes.TrimSpace(data)) > 0 { // the first event of a stream has no data, only an id
			return data, nil
		}
		if bytes.HasPrefix(line, []byte("{")) {
			return line, nil
		}
		if err != nil {
			return line, err
		}
	}
}

// read reads one message of a pipe, which has to be framed as the client does.
func (c *seedClient) read() ([]byte, error) {
	line, err := c.out.ReadBytes('\n')
	if err != nil || c.over == overLines {
		return line, err
	}
	length, framed := strings.CutPrefix(string(line), "Content-Length: ")
	if !framed {
		return line, errors.New("no header")
	}
	n, err := strconv.Atoi(strings.TrimSpace(length))
	if err != nil {
		return line, err
	}
	body := make([]byte, n+len("\r\n"))
	_, err = io.ReadFull(c.out, body)
	return body, err
}

// jsonIn returns the JSON that a text is, or that follows its first line.
func jsonIn(text string) any {
	var out any
	if json.Unmarshal([]byte(text), &out) == nil {
		return out
	}
	_, rest, _ := strings.Cut(text, "\n")
	if json.Unmarshal([]byte(rest), &out) == nil {
		return out
	}
	return text
}

// compareJSON reports where a value is not as JSON wants it.
func compareJSON(t *testing.T, what string, got any, want string) {
	t.Helper()
	var wanted any
	assert.NoError(t, json.Unmarshal([]byte(want), &wanted), "%s", want)
	if reply, whole := got.(seedReply); whole {
		got = map[string]any(reply)
	}
	if why := matches(got, wanted, ""); why != nil {
		t.Errorf("%s: %s\nin %s", what, why, indented(got))
	}
}

func indented(v any) string {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}

// matches reports where a value differs from what is wanted: an object may have further members, and one that is wanted
// as null is absent or null; "..." in a list is any number of items; a string that begins with ~ is a regular expression.
func matches(got, want any, path string) error {
	differs := fmt.Errorf("%s is %s, want %s", cmpPath(path), indented(got), indented(want))
	switch want := want.(type) {
	case map[string]any:
		object, isObject := got.(map[string]any)
		if !isObject {
			return differs
		}
		for name, each := range want {
			if err := matches(object[name], each, path+"."+name); err != nil {
				return err
			}
		}
		return nil
	case []any:
		list, isList := got.([]any)
		if !isList {
			return differs
		}
		return listMatches(list, want, path, differs)
	case string:
		text, isText := got.(string)
		pattern, isPattern := strings.CutPrefix(want, "~")
		if isText && (text == want || isPattern && regexp.MustCompile(pattern).MatchString(text)) {
			return nil
		}
		return differs
	}
	if got == want {
		return nil
	}
	return differs
}

func cmpPath(path string) string {
	if path == "" {
		return "it"
	}
	return path[1:]
}

// listMatches compares a list with one in which "..." is any number of items.
func listMatches(got, want []any, path string, differs error) error {
	if len(want) == 0 {
		if len(got) > 0 {
			return differs
		}
		return nil
	}
	if want[0] == "..." {
		for skip := range len(got) + 1 {
			if listMatches(got[skip:], want[1:], path, differs) == nil {
				return nil
			}
		}
		return differs
	}
	if len(got) == 0 {
		return differs
	}
	if err := matches(got[0], want[0], path+"[]"); err != nil {
		return err
	}
	return listMatches(got[1:], want[1:], path, differs)
}

// failsWith is the result of a tool that failed.
func failsWith(text string) string {
	return fmt.Sprintf(`{"error":null,"result":{"isError":true,"content":[{"type":"text","text":%q}]}}`, text)
}

// TestSeeds_matches: the comparison of replies finds what differs.
func TestSeeds_matches(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		got, want string
		same      bool
	}{
		{`{"a":1,"b":2}`, `{"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1}`, `{"b":null}`, true},
		{`{"b":1}`, `{"b":null}`, false},
		{`[1,2,3]`, `["...",2,"..."]`, true},
		{`[1,2,3]`, `["...",2]`, false},
		{`[1,2,3]`, `[1,"..."]`, true},
		{`[]`, `["..."]`, true},
		{`[{"a":1}]`, `[]`, false},
		{`"abc"`, `"~^a.c$"`, true},
		{`"abc"`, `"ab"`, false},
		{`1`, `"1"`, false},
	} {
		var got, want any
		assert.NoError(t, errors.Join(json.Unmarshal([]byte(tt.got), &got), json.Unmarshal([]byte(tt.want), &want)))
		assert.Equal(t, tt.same, matches(got, want, "") == nil, "%s and %s", tt.got, tt.want)
	}
}
