package node

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const goodInvitation = `{"url": "tls://hub.example.com:4222", "project": "app", "remote": "git@example.com:team/app.git", "node": "a", "role": "worker", "seed": "S"}`

// TestParseInvitation: what an invitation names is checked before it becomes an address, an argument or a path.
func TestParseInvitation(t *testing.T) {
	t.Parallel()
	if in, err := parseInvitation([]byte(goodInvitation)); err != nil || in.Node != "a" || in.Remote != "git@example.com:team/app.git" {
		t.Errorf("%+v, %v", in, err)
	}
	for bad, want := range map[string]string{
		"":   "not JSON",
		"[]": "not JSON",
		"{}": "lacks",
		strings.Replace(goodInvitation, "tls:", "http:", 1):      "invalid URL",
		strings.Replace(goodInvitation, `"app"`, `"../app"`, 1):  "invalid project",
		strings.Replace(goodInvitation, `"a"`, `"../a"`, 1):      "invalid name",
		strings.Replace(goodInvitation, `"git@`, `"-git@`, 1):    "its remote",
		strings.Replace(goodInvitation, `"S"`, `""`, 1):          "lacks",
		strings.Replace(goodInvitation, "hub.", "me:pw@hub.", 1): "must not contain",
	} {
		if in, err := parseInvitation([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", bad, in, err, want)
		}
	}
}

// FuzzParseInvitation: nothing that is accepted can leave a folder or be an option of git, and it is read again the same.
func FuzzParseInvitation(f *testing.F) {
	f.Add(goodInvitation)
	f.Add(`{"url":"nats://[::1]:1,tls://x","project":"-","remote":"/a","node":"-","seed":"\n"}`)
	f.Fuzz(func(t *testing.T, text string) {
		in, err := parseInvitation([]byte(text))
		if err != nil {
			return
		}
		if strings.ContainsAny(in.Node+in.Project, "./\\ ") || in.Node == "" || strings.HasPrefix(in.Remote, "-") {
			t.Errorf("%+v", in)
		}
		again, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := parseInvitation(again); err != nil || !reflect.DeepEqual(same, in) {
			t.Errorf("%+v became %+v, %v", in, same, err)
		}
	})
}

// TestBreakable: a Ctrl-C ends what is set up, and nothing that has been.
func TestBreakable(t *testing.T) {
	t.Parallel()
	interrupts := make(chan struct{}, 1)
	ctx, settled := breakable(t.Context(), interrupts)
	settled()
	settled()
	interrupts <- struct{}{}
	if ctx.Err() != nil || len(interrupts) != 1 {
		t.Errorf("it was heeded after the set-up: %v", ctx.Err())
	}
	ctx, settled = breakable(t.Context(), interrupts)
	<-ctx.Done()
	settled()
}

// TestPublicHost: invitations name what other machines can reach.
func TestPublicHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listen string
		named  []string
		last   string
		want   string
	}{
		{"127.0.0.1:4222", nil, "", "127.0.0.1"},
		{"10.0.0.5:4222", nil, "", "10.0.0.5"},
		{"0.0.0.0:4222", nil, "", append(addresses(), hostName())[0]},
		{"[::]:4222", nil, "", append(addresses(), hostName())[0]},
		{"0.0.0.0:4222", []string{"hub.example.com", "10.0.0.5"}, "", "hub.example.com"},
		{"0.0.0.0:4222", nil, "tls://hub.example.com:4222", "hub.example.com"},
		{"0.0.0.0:4222", []string{"new"}, "tls://hub.example.com:4222", "new"},
		{"0.0.0.0:4222", nil, "tls://[fe80::1]:4222", "fe80::1"},
	} {
		if got := publicHost(c.listen, c.named, c.last); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
