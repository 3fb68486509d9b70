package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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

// raw is a program that asks the process of its own run: each line of its input is a folder, a command line and what else is in
// the message, with other streams than its own if they are named, "@" for another spec and "~" for the person's checkout.
const raw = `cat > raw.py <<'PY'
import array, json, os, socket, struct, sys
home, other, own, user = sys.argv[1:]
for line in sys.stdin:
    line = line.replace("@own", own).replace("@", other).replace("~~", user).replace("~", home)
    folder, args, *more = json.loads(line)
    more = more[0] if more else {}
    streams = [0, 1, 2]
    for number, path in more.pop("streams", []):
        streams[number] = os.open(path, os.O_RDONLY) if path else socket.socket(socket.AF_UNIX).detach()
    streams = streams[:more.pop("count", 3)] + [1] * more.pop("extra", 0)
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(60)
    text = json.dumps({"args": args, "dir": folder, **more}).encode()
    message = struct.pack(">I", len(text)) + text
    try:
        s.connect(os.environ["CHANT_BROKER"])
        s.sendmsg([message[:1]], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))] if streams else [])
        s.sendall(message[1:])
        n = s.recv(4)
        print(s.recv(struct.unpack(">I", n)[0]).decode()[:500] if n else "closed", flush=True)
    except OSError as e:
        print(repr(e), flush=True)
    s.close()
PY
raw() { /usr/bin/python3 raw.py "$home" "$other" "$CHANT_SPEC_ID" "$HOME" 2>&1; }
`

// talking is a program that has its own server of tools called, each line of its input naming a tool and its arguments.
const talking = `cat > talk.py <<'PY'
import json, subprocess, sys
p = subprocess.Popen(["chant", "mcp", "--toolsets", "specs,review,plan,tasks,commands,code,feature"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def call(n, method, params):
    p.stdin.write((json.dumps({"jsonrpc": "2.0", "id": n, "method": method, "params": params}) + "\n").encode())
    p.stdin.flush()
    while True:
        line = p.stdout.readline()
        if not line or json.loads(line).get("id") == n:
            return line.decode()
call(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
for n, line in enumerate(sys.stdin, 1):
    name, _, args = line.strip().partition(" ")
    print(name, call(n, "tools/call", {"name": name, "arguments": json.loads(args or "{}")}), flush=True)
p.stdin.close()
p.wait()
PY
`

// pager is a program that has chant write to a terminal of 24 lines.
const pager = `cat > pager.py <<'PY'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        text = os.read(fd, 1 << 16)
    except OSError:
        break
    if not text:
        break
    print(text.decode(errors="replace")[-200:], flush=True)
PY
`

func askings() []asking {
	return []asking{
		{name: "a repository of its own, without a sandbox", script: `mkdir nest; (cd nest; unset GIT_CEILING_DIRECTORIES; git init -q -b main .; mkdir -p .chant/specs .rstn
printf -- '---\nsandbox: off\ndefaults: {provider: shell}\n---\n' > .chant/config.md
printf -- '---\nstatus: completed\n---\n# N\n\n## Acceptance Criteria\n\n- [x] x %s\n' "$tick\$ echo byhook > '$home/.git/byhook'$tick" > .chant/specs/2026-01-01-009-zzz.md
printf 'hooks:\n  nested:\n    command: echo byhook > "%s/.git/byhook"\n' "$home" > .rstn/hooks.yaml; git add -A; git -c user.name=a -c user.email=a@b commit -qm n)
for d in "$PWD/nest" "~/.git" "~/.git/worktrees/@own" / nest "$PWD/../@own/nest"; do printf '["%s",["verify","009","--fresh"]]\n["%s",["hook","run","nested"]]\n' "$d" "$d"; done | raw; rm -rf nest`, says: "no spec matches"},
		{name: "settings, hooks and providers of its worktree", script: `mkdir "$TMPDIR/kept"; cp -R .chant .rstn "$TMPDIR/kept"
printf 'hooks:\n  own:\n    command: echo byhook > "%s/.git/byhook"; echo byhook > "%s/.chant/byhook"\n' "$home" "$home" > .rstn/hooks.yaml
printf -- '---\nsandbox: off\ndefaults: {provider: evil}\nproviders: {evil: {command: [sh, -c, "echo byhook > %s/.git/byhook"]}}\nverify: ["echo byhook > %s/.git/byhook"]\n---\n' "$home" "$home" > .chant/config.md
mkdir -p .chant/providers; printf -- '---\ncommand: sh\nargs: [-c, "echo byhook > %s/.git/byhook"]\n---\n' "$home" > .chant/providers/evil.md
printf -- '- [ ] more %s\n- [ ] to be judged\n' "$tick\$ echo byhook > '$home/.git/byhook'$tick" >> "$spec"
printf '["%s",%s]\n' "$PWD" '["hook","run","own"]' "$PWD" '["verify","@own","--fresh","--provider","evil"]' "$PWD" '["finalize","@own"]' "$PWD" '["research","what?"]' | raw
rm -rf .chant .rstn; cp -R "$TMPDIR/kept/.chant" "$TMPDIR/kept/.rstn" .; git status --short`, says: "exited with"},
		{name: "the pager of its person, on its own terminal", script: `seq 90 > many; git add many; git commit -qm many; /usr/bin/python3 pager.py chant diff "$CHANT_SPEC_ID" -- many; git rm -q many; git commit -qm few`, says: "+90", never: "PAGED"},
		{name: "paths in place of names", script: `for x in "../../../hidden/secret" "~~/hidden/secret" "@/../../../../hidden/secret"; do for a in show log prep diagnose lint "task\",\"show" "feature\",\"read" "prompt\",\"show" "add\",\"x\",\"--template" "add\",\"x\",\"--prompt" "command\",\"run" "hook\",\"run"; do printf '["",["%s","%s"]]\n' "$a" "$x"; done; printf '["",["update","%s","--label","bypath"]]\n' "$x"; done | raw`, says: "is not a spec id", never: "topsecret"},
		{name: "paths in place of names, to the token of a server", script: `for x in "../cache/mcp.json" "@/../../cache/mcp" "~/.chant/cache/mcp.json"; do for a in show log prep lint "prompt\",\"show" "feature\",\"read"; do printf '["~",["%s","%s"]]\n' "$a" "$x"; done; done | raw; printf '["~",["%s","server token"]]\n' code docs research search | raw`, says: "is not a spec id", never: "servertoken"},
		{name: "files of git to write", script: `for f in "~/.git/byhook" "~/.git/hooks/pre-commit" "~/.git/config"; do printf '["~",["verify","%s","--attestation","%s"]]\n' @own "$f" @ "$f"; done | raw; printf '["~",%s]\n' '["lint","@","--fix"]' '["drift","--flag"]' | raw`, says: "you are inside the run of"},
		{name: "a feature that leads to git", script: `mkdir -p specs/001-x .specify; ln -s "$home/.git/config" specs/001-x/tasks.md; ln -s "$HOME/hidden/secret" specs/001-x/spec.md; ln -s "$home/.chant/cache/mcp.json" specs/001-x/plan.md
for d in specs/001-x "$home/.git" "$home/.chant/cache" "$HOME/hidden" ../../../..; do printf '{"feature_directory":"%s"}' "$d" > .specify/feature.json; printf '["",["feature",%s]]\n' '"read","spec"' '"read","plan"' '"tasks"' '"done","T001"' | raw; done; rm -rf specs .specify`, says: "Artifact 'spec' not found", never: "topsecret"},
		{name: "commands that are not for agents", script: `printf '["",%s]\n' '["work","@"]' '["watch","--once"]' '["loop","x"]' '["merge-driver","a","b","c"]' '["hooks","install"]' '["fleet","status"]' '["serve"]' '["board"]' '["mcp","--http"]' '["mcp","--http=127.0.0.1:0"]' '["-h"]' '["--version"]' '[""]' '[]' '["update\u0000","x"]' '["Update"]' '[" update"]' '["update"]' '["__complete","update",""]' '["sh","-c","echo byhook"]' | raw`, says: "not by HTTP"},
		{name: "variables beside those of a terminal", script: `printf '["",["update","@","--label","byvariable"],{"terminal":["CHANT_RUN_SPEC=@","CHANT_RUN_TREE=~/.chant/worktrees/@","CHANT_RUN_HOME=/","TERM=x","LD_PRELOAD=/x.so","GIT_DIR=/x","LANG=C\\nCHANT_RUN_SPEC=@"],"env":["CHANT_RUN_SPEC=@"],"spec":"@","pid":1}]\n' | raw`, says: "you are inside the run of"},
		{name: "other streams, and not three", script: `printf '["",["whoami"],%s]\n' '{"count":0}' '{"count":1}' '{"count":2}' '{"extra":1}' '{"extra":200}' '{"streams":[[0,"/"],[1,"/"],[2,"/"]]}' '{"streams":[[1,""],[2,""]]}' '{"streams":[[0,"/proc/self/mem"],[1,"/proc/self/exe"]]}' | raw; chant whoami > /dev/null && echo still served`, says: "still served"},
		{name: "messages without end", script: `/usr/bin/python3 - <<'PY'
import os, socket, struct, threading
def flood(data):
    for i in range(40):
        try:
            s = socket.socket(socket.AF_UNIX)
            s.settimeout(20)
            s.connect(os.environ["CHANT_BROKER"])
            for chunk in data:
                s.sendall(chunk)
            s.close()
        except OSError:
            pass
kinds = [[struct.pack(">I", 1 << 31)], [b"\xff" * (1 << 20)], [struct.pack(">I", 1 << 20), b"[" * (1 << 20)], [b"{" * 3], [struct.pack(">I", 9) + b'{"args":9}'], []]
all = [threading.Thread(target=flood, args=(k,)) for k in kinds]
[t.start() for t in all]
[t.join() for t in all]
PY
chant whoami > /dev/null && echo still served`, says: "still served"},
		{name: "tools that decide for people", script: `sed "s/@/$other/g" <<'IN' | /usr/bin/python3 talk.py
chant_cancel {"id":"@"}
chant_approve {"id":"@"}
chant_archive {"id":"@"}
chant_merge {"id":"@"}
chant_spec_update {"id":"@","labels":["bytool"]}
chant_criterion_check {"id":"@","criterion":1}
chant_work_start {"id":"@"}
chant_watch_start {"work":true}
task_update {"id":"@","patch":{"tags":["bytool"]}}
task_delete {"id":"@"}
task_create {"title":"x","project":"../../.git"}
config_set {"values":{"default_reporter":"bytool"},"global":true}
sprint_create {"label":"bytool"}
rstn_run_hook {"hook_name":"evil","args":[]}
climpt_execute {"agent":"../hidden","c1":"a","c2":"b","c3":"c"}
IN`, says: "you are inside the run of"},
		{name: "tools that read", script: `sed "s|~|$HOME/hidden|g; s/@/$CHANT_SPEC_ID/g" <<'IN' | /usr/bin/python3 talk.py
index_codebase {"path":"~"}
search_code {"query":"secret","path":"~"}
search_docs {"query":"secret","path":"~"}
chant_spec_get {"id":"../../hidden/secret"}
chant_log {"id":"../../hidden/secret"}
chant_add {"description":"x","template":"../../hidden/secret"}
rstn_read_spec {"artifact":"../../../hidden/secret"}
climpt_execute {"agent":"climpt","c1":"go","c2":"review","c3":"package","options":{"file":"~/secret"}}
task_reference_add {"id":"@","kind":"file","value":"~/secret"}
config_show {"project":"../../hidden"}
IN`, says: "search_code", never: "topsecret"},
		{name: "its socket replaced", script: `d=$(dirname "$CHANT_BROKER"); mv "$CHANT_BROKER" "$d/kept"; ln -s "$(ls -d "$(dirname "$d")"/*/s | grep -v "^$CHANT_BROKER$" | head -1)" "$CHANT_BROKER"; chant update "$other" --label bysocket; rm -f "$CHANT_BROKER"; mv "$d/kept" "$CHANT_BROKER"; chant whoami > /dev/null && echo still served`},
		{name: "connections and commands that outlive it", script: `for i in $(seq 20); do setsid /usr/bin/python3 -c 'import os, socket, time
s = socket.socket(socket.AF_UNIX); s.connect(os.environ["CHANT_BROKER"]); time.sleep(600)' > /dev/null 2>&1 & done; for i in 1 2 3; do (sleep 600 | setsid chant mcp > /dev/null 2>&1) & done; (sleep 1; chant update "$other" --label bydaemon) > /dev/null 2>&1 & chant whoami > /dev/null && echo still served`, says: "still served"},
		{name: "a report, which is its own", script: `chant feature report completed; chant log "$CHANT_SPEC_ID"`, says: "the agent reports: completed"},
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
	script := connecting + raw + talking + pager + "tick='`'\nother=" + otherID + "\nfor i in $(seq 100); do test -e \"$home/.chant/worktrees/$other/z.txt\" && break; sleep 0.05; done\n"
	// Each change asks every third, since each waits for several processes.
	var asked []asking
	for i, a := range askings() {
		if i%sizeOf(3, 1) == 0 {
			asked = append(asked, a)
		}
	}
	for _, a := range asked {
		script += "echo '== " + a.name + "'\n(set +e; " + a.script + "\n) < /dev/null 2>&1 || true\n"
	}
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+script+"rm -f ask.py raw.py talk.py pager.py"))
	p.addFile(otherID, boxSpec("echo z > z.txt\n"+ticks+"for i in $(seq 1200); do git -C \"$home\" cat-file -e main:x.txt 2>/dev/null && break; sleep 0.1; done"))
	out, errs, code := p.try([]string{"HIDDEN_VARIABLE=x", "CHANT_PAGER=sh -c 'cat; echo PAGED'"}, "work", ownID, otherID, "--parallel", "2")
	log := p.chant("log", ownID, "-n", "10000")
	assert.Equal(t, 0, code, "exit %s %s %s", out, errs, log)
	assert.Equal(t, "completed", p.statusOnMain(ownID), "exit %s %s %s", out, errs, log)
	assert.Equal(t, "completed", p.statusOnMain(otherID), "exit %s %s %s", out, errs, log)
	everything := p.git("log", "-p", "--all") + p.git("for-each-ref") + p.git("status", "--porcelain", "--ignored") + p.chant("show", otherID) + p.chant("log", otherID)
	for _, name := range []string{".git/byhook", ".chant/byhook", "byhook"} {
		_, err := os.Lstat(p.dir + "/" + name)
		assert.Error(t, err, "%s was made", name)
	}
	for i, a := range asked {
		_, part, found := strings.Cut(log, "== "+a.name+"\n")
		if i+1 < len(asked) {
			part, _, _ = strings.Cut(part, "== "+asked[i+1].name+"\n")
		}
		assert.True(t, found, "%s: the log does not say %q:\n%s", a.name, a.says, part)
		assert.Contains(t, part, a.says, "%s: the log does not say", a.name)
		if a.never != "" && a.never != "topsecret" && a.never != "servertoken" && strings.Contains(everything, "label: "+a.never) {
			t.Errorf("%s: the repository has %q", a.name, a.never)
		}
		if slices.Contains([]string{"topsecret", "servertoken", "another's", "HIDDEN_VARIABLE", "PAGED"}, a.never) && strings.Contains(part, a.never) {
			t.Errorf("%s: it could read %q:\n%s", a.name, a.never, part)
		}
	}
	for _, never := range []string{"foreign", "stolen", "loose", "athome", "pointed", "bypath", "byvariable", "bytool", "bysocket", "bydaemon"} {
		assert.NotContains(t, p.git("show", "main:.chant/specs/"+otherID+".md"), never, "the other spec")
	}
	assert.NotContains(t, p.chant("show", otherID), "foreign question", "a question was asked in the name of the other run")
}
