package agentfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestMergeTOML(t *testing.T) {
	t.Parallel()
	const add = "[mcp_servers.chant]\ncommand = \"chant\"\nargs = [\"mcp\"]\ndefault_tools_approval_mode = \"approve\"\n"
	for name, tc := range map[string]struct{ have, want string }{
		"empty":        {"\n", add},
		"no end":       {"model = \"m\"", "model = \"m\"\n\n" + add},
		"other server": {"# mine\n[mcp_servers.a]\ncommand = 'a' # b\n", "# mine\n[mcp_servers.a]\ncommand = 'a' # b\n\n" + add},
		"CRLF":         {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(add, "\n", "\r\n")},
		"in a string":  {"a = \"\"\"\n[mcp_servers.chant]\n\\\"\"\"\"\"\nb = '''\n[mcp_servers.chant]'''\n", ""},
		"in a comment": {"# [mcp_servers.chant]\na = [ # [mcp_servers.chant]\n  1, { mcp_servers.chant = 2 },\n]\n", ""},
		"elsewhere":    {"[profiles.mcp_servers.chant]\na = 1\n", ""},
		"table itself": {"[mcp_servers]\n", ""},
		"dates":        {"a = 1979-05-27 07:32:00Z\nb = -1.5e3\n\"c d\".e = true\n[[f]]\n", ""},
	} {
		want := tc.want
		if want == "" {
			want = tc.have + "\n" + add
		}
		got, err := mergeTOML("x.toml", []byte(tc.have), []byte(ours(t, "codex.toml")))
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, want, string(got), "%s", name)
	}
}

// TestMergeTOML_left: a server of our name is found in every notation.
func TestMergeTOML_left(t *testing.T) {
	t.Parallel()
	for _, have := range []string{
		"[mcp_servers.chant]\n", "[ mcp_servers . \"chant\" ] # x\n", "[mcp_servers.'chant'.env]\n", "mcp_servers.chant.command = 1\n",
		"[mcp_servers]\nchant = { command = 1 }\n", "[mcp_servers]\nchant.command = 1\n", "mcp_servers = { a = {}, chant = {} }\n",
		"mcp_servers = { a.b = [{}], chant.command = \"x\" }", "[mcp_servers.\"ch\\u0061nt\"]\n", "\ufeff[mcp_servers.chant]\r\na = 1\r\n",
	} {
		got, err := mergeTOML("x.toml", []byte(have), []byte(ours(t, "codex.toml")))
		assert.NoError(t, err)
		assert.Equal(t, have, string(got))
	}
}

func TestMergeTOML_invalid(t *testing.T) {
	t.Parallel()
	for have, line := range map[string]string{
		"\n= 1\n": "2", "a\n": "1", "a = \n": "1", "a = \"b\nc\"\n": "1", "[a\n": "1", "[[a]\n": "1", "[a] b\n": "1",
		"a = 1\na = 2\n": "2", "mcp_servers = { a = {} }\n": "1", "mcp_servers = 5\n": "1",
	} {
		_, err := mergeTOML("x.toml", []byte(have), []byte(ours(t, "codex.toml")))
		assert.True(t, isFileError(err), "%q: %v, want line %s", have, err, line)
		assert.HasPrefix(t, err.Error(), "x.toml:"+line+": ", "%q: %s", have, line)
	}
}

// FuzzMergeTOML: whatever parses gets only additions at its end, and is not changed by a second merge.
func FuzzMergeTOML(f *testing.F) {
	for _, seed := range []string{
		"", "a = 1", "[a]\nb = [1, {c = \"\"\"x\"\"\"}]\n", "[mcp_servers.chant]", "mcp_servers = {}", "a.\"b\".'c' = '''\n'''''\n", "a = \"\\\"\n", "[[a]]#\r\n", "\ufeff", "a={b=[{}]}", "\"", "a = [[[[",
	} {
		f.Add([]byte(seed))
	}
	fresh, err := Template("codex.toml")
	assert.NoError(f, err)
	f.Fuzz(func(t *testing.T, have []byte) {
		got, err := mergeTOML("x.toml", have, fresh)
		if err != nil || len(bytes.TrimSpace(have)) == 0 {
			return
		}
		again, err := mergeTOML("x.toml", got, fresh)
		assert.NoError(t, err)
		assert.True(t, bytes.HasPrefix(got, have), "%q became %q, then %q, %v", have, got, again, err)
		assert.Equal(t, again, got)
	})
}
