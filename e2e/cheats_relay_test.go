package e2e

import (
	"os"
	"strings"
	"testing"
)

// asking is what an agent tries with the process of a run, which runs commands of chant for it outside of its wall.
type asking struct {
	name   string
	script string // $home is the person's checkout, $other the id of another spec that is worked at the same time
	says   string // what the log must contain, "" for nothing
	never  string // what neither the log nor the repository may contain, "" for nothing
}

// connecting is a program that has a socket of another run carry out a command, with the mark and the folder of that run.
const connecting = `cat > ask.py <<'PY'
import array, glob, json, os, re, socket, struct, sys
home, other, args = sys.argv[1], sys.argv[2], sys.argv[3:]
marks = re.findall(r'"run_id":"([0-9a-f]+)"', "".join(open(f).read() for f in glob.glob(home + "/.git/chant/runs/" + other + "*")))
if marks and os.environ.get("CHANT_RUN_ID") != marks[-1]:
    os.environ.update(CHANT_RUN_ID=marks[-1], CHANT_RUN_SPEC=other)
    os.execv(sys.executable, [sys.executable] + sys.argv)
for path in glob.glob(os.path.dirname(os.path.dirname(os.environ["CHANT_BROKER"])) + "/*/s"):
    if path == os.environ["CHANT_BROKER"]:
        continue
    try:
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(30)
        s.connect(path)
        text = json.dumps({"args": args, "dir": home + "/.chant/worktrees/" + other}).encode()
        raw = struct.pack(">I", len(text)) + text
        s.sendmsg([raw[:1]], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", (0, 1, 2)))])
        s.sendall(raw[1:])
        n = s.recv(4)
        print(args, s.recv(struct.unpack(">I", n)[0]).decode(), flush=True)
    except Exception as e:
        print(repr(e), flush=True)
PY
`

func askings() []asking {
	return []asking{
		{name: "a socket of another run", script: `python3 ask.py "$home" "$other" update "$other" --label foreign`, says: "only the agent of the run may ask", never: "foreign"},
		{name: "a socket of another run, detached", script: `(setsid env -u CHANT_SPEC_ID python3 ask.py "$home" "$other" ask "foreign question?" > said.new; mv said.new said) & for i in $(seq 300); do test -e said && break; sleep 0.1; done; cat said; rm -f said`, says: "only the agent of the run may ask", never: "foreign question"},
		{name: "HEAD of another run", script: `git symbolic-ref HEAD "refs/heads/chant/$other"; chant update "$other" --label stolen; git symbolic-ref HEAD "refs/heads/chant/$CHANT_SPEC_ID"`, never: "stolen"},
		{name: "HEAD detached", script: `was=$(git symbolic-ref HEAD); git checkout -q --detach; chant update "$other" --label loose; git symbolic-ref HEAD "$was"`, never: "loose"},
		{name: "variables of another run", script: `CHANT_RUN_SPEC="$other" CHANT_RUN_TREE="$home/.chant/worktrees/$other" CHANT_SPEC_ID="$other" chant update "$other" --label named`, never: "named"},
		{name: "from the checkout", script: `(cd "$home" && chant update "$other" --label athome)`, never: "athome"},
		{name: "a worktree file that names another run", script: `cp .git was; echo "gitdir: $home/.git/worktrees/$other" > .git; chant update "$other" --label pointed; cp was .git; rm was`, never: "pointed"},
		{name: "a file that is hidden", script: `chant command run go review package --file "$HOME/hidden/secret"`, never: "topsecret"},
		{name: "a file that is hidden, as stdin by link", script: `ln -s "$HOME/hidden/secret" l; chant command run go review package --file l; chant command run go review package --file "$PWD/l"; rm l`, never: "topsecret"},
		{name: "the token of a server", script: `chant command run go review package --file "$home/.chant/cache/mcp.json"; chant command run go review package --file "$HOME/.rstn/mcp-session.json"`, never: "servertoken"},
		{name: "files of another run", script: `chant command run go review package --file "$home/.chant/cache/$other/prompt.md"; chant command run go review package --file "$home/.chant/worktrees/$other/README.md"`, never: "another's"},
		{name: "a process of chant itself", script: `chant command run go review package --file "/proc/$PPID/environ"; chant command run go review package --file "/proc/$(cut -d" " -f4 /proc/$PPID/stat)/environ"`, never: "HIDDEN_VARIABLE"},
		{name: "specs that are a link to the checkout", script: `mv .chant/specs .chant/kept; ln -s "$home/.chant/specs" .chant/specs; chant update "$CHANT_SPEC_ID" --label through; rm .chant/specs; mv .chant/kept .chant/specs`, never: "label through"},
		{name: "a hook at a detached HEAD", script: `was=$(git symbolic-ref HEAD); git checkout -q --detach; chant hook run evil; chant hook run evil -- x; git symbolic-ref HEAD "$was"`, never: "byhook"},
		{name: "a hook at a commit of the target", script: `was=$(git symbolic-ref HEAD); git checkout -q --detach; git update-ref --no-deref HEAD main; chant hook run evil; git symbolic-ref HEAD "$was"`, never: "byhook"},
		{name: "a hook with its arguments, from the checkout", script: `(cd "$home" && chant hook run line -- "$PWD/evil.sh" "$home"; chant hook run line -- sh -c "echo byhook > '$home/.git/byhook'; echo byhook > '$home/.chant/byhook'")`, never: "byhook"},
		{name: "a hook with HEAD on main", script: `git symbolic-ref HEAD refs/heads/main; chant hook run evil; git symbolic-ref HEAD "refs/heads/chant/$CHANT_SPEC_ID"`, never: "byhook"},
		{name: "a silent client", script: `python3 -c 'import os, socket
clients = [socket.socket(socket.AF_UNIX) for i in range(50)]
[c.connect(os.environ["CHANT_BROKER"]) for c in clients]
os.system("chant whoami > /dev/null && echo still served")'`, says: "still served"},
	}
}

// TestCheats_relay has an agent ask the process of its run, and those of others, for what is not its own: it acts as no
// other run, reads nothing that is hidden from it, and runs nothing with more rights than it has.
func TestCheats_relay(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip("the agents need python3")
	}
	p := newCheated(t, true)
	p.does(`mkdir -p "$HOME/hidden" "$HOME/.rstn" .agent/climpt/prompts/go/review/package .rstn
echo topsecret > "$HOME/hidden/secret"; echo servertoken > "$HOME/.rstn/mcp-session.json"
printf -- '---\nc1: go\nc2: review\nc3: package\ntitle: Review\n---\n\nReview. {input_text}\n' > .agent/climpt/prompts/go/review/package/f_default.md
printf 'hooks:\n  evil:\n    command: echo byhook > "$H/.git/byhook"; echo byhook > "$H/.chant/byhook"; git --git-dir="$H/.git" update-ref refs/heads/byhook HEAD; echo byhook > "$H/byhook";\n  line:\n    command: env\n' > .rstn/hooks.yaml
sed -i "s|\$H|$PWD|g" .rstn/hooks.yaml; sed -i 's|echo byhook > "[^"]*";$|true|' .rstn/hooks.yaml; cp .rstn/hooks.yaml "$HOME/hooks.yaml"
printf -- '---\nsandbox: {read: [/opt, ~/hooks.yaml]}\ndefaults: {provider: shell}\n---\n' > .chant/config.md
git add -A; git commit -q -m "Add a command and hooks"; mkdir -p .chant/cache; echo servertoken > .chant/cache/mcp.json`)
	script := connecting + "other=" + otherID + "\nfor i in $(seq 100); do test -e \"$home/.chant/worktrees/$other/z.txt\" && break; sleep 0.05; done\n"
	for _, a := range askings() {
		script += "echo '== " + a.name + "'\n(set +e; " + a.script + "\n) < /dev/null 2>&1 || true\n"
	}
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+script+"rm -f ask.py"))
	p.addFile(otherID, boxSpec("echo z > z.txt\n"+ticks+"for i in $(seq 200); do git -C \"$home\" cat-file -e main:x.txt 2>/dev/null && break; sleep 0.1; done"))
	out, errs, code := p.try([]string{"HIDDEN_VARIABLE=x"}, "work", ownID, otherID, "--parallel", "2")
	log := p.chant("log", ownID)
	if code != 0 || p.statusOnMain(ownID) != "completed" || p.statusOnMain(otherID) != "completed" {
		t.Fatalf("exit %d\n%s%s\n%s", code, out, errs, log)
	}
	everything := p.git("log", "-p", "--all") + p.git("for-each-ref") + p.git("status", "--porcelain", "--ignored") + p.chant("show", otherID) + p.chant("log", otherID)
	for _, name := range []string{".git/byhook", ".chant/byhook", "byhook"} {
		if _, err := os.Lstat(p.dir + "/" + name); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	for i, a := range askings() {
		_, part, found := strings.Cut(log, "== "+a.name+"\n")
		if i+1 < len(askings()) {
			part, _, _ = strings.Cut(part, "== "+askings()[i+1].name+"\n")
		}
		if !found || !strings.Contains(part, a.says) {
			t.Errorf("%s: the log does not say %q:\n%s", a.name, a.says, part)
		}
		if a.never != "" && a.never != "topsecret" && a.never != "servertoken" && strings.Contains(everything, "label: "+a.never) {
			t.Errorf("%s: the repository has %q", a.name, a.never)
		}
		if (a.never == "topsecret" || a.never == "servertoken" || a.never == "another's" || a.never == "HIDDEN_VARIABLE") && strings.Contains(part, a.never) {
			t.Errorf("%s: it could read %q:\n%s", a.name, a.never, part)
		}
	}
	for _, never := range []string{"foreign", "stolen", "loose", "athome", "pointed"} {
		if s := p.git("show", "main:.chant/specs/"+otherID+".md"); strings.Contains(s, never) {
			t.Errorf("the other spec has %q:\n%s", never, s)
		}
	}
	if strings.Contains(p.chant("show", otherID), "foreign question") {
		t.Error("a question was asked in the name of the other run")
	}
}
