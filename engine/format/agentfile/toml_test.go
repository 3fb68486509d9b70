package agentfile

import (
	"bytes"
	"strings"
	"testing"
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
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
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
		if err != nil || string(got) != have {
			t.Errorf("%q: %q, %v", have, got, err)
		}
	}
}

func TestMergeTOML_invalid(t *testing.T) {
	t.Parallel()
	for have, line := range map[string]string{
		"\n= 1\n": "2", "a\n": "1", "a = \n": "1", "a = \"b\nc\"\n": "1", "[a\n": "1", "[[a]\n": "1", "[a] b\n": "1",
		"a = 1\na = 2\n": "2", "mcp_servers = { a = {} }\n": "1", "mcp_servers = 5\n": "1",
	} {
		_, err := mergeTOML("x.toml", []byte(have), []byte(ours(t, "codex.toml")))
		if !isFileError(err) || !strings.HasPrefix(err.Error(), "x.toml:"+line+": ") {
			t.Errorf("%q: %v, want line %s", have, err, line)
		}
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
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, have []byte) {
		got, err := mergeTOML("x.toml", have, fresh)
		if err != nil || len(bytes.TrimSpace(have)) == 0 {
			return
		}
		again, err := mergeTOML("x.toml", got, fresh)
		if err != nil || !bytes.HasPrefix(got, have) || !bytes.Equal(got, again) {
			t.Fatalf("%q became %q, then %q, %v", have, got, again, err)
		}
	})
}
