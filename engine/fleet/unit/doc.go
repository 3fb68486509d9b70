// Package unit writes what keeps a machine of a fleet running: a unit of systemd, or a file that containers are built
// from. It is pure: it returns texts.
//
// # Rules
//
//   - Nothing that is given can become another setting: what cannot be written safely is refused.
//   - No text contains a secret. Credentials are files, which the text names at most.
//   - The unit takes nothing away that agents, their own sandboxes or a graphics card need.
//
// # Decisions
//
// 2026-11-26: the unit leaves out ProtectKernelTunables, ProtectKernelLogs and ProtectProc, with which a sandbox cannot
// mount /proc in a namespace of its own; RestrictNamespaces, which forbids such namespaces; MemoryDenyWriteExecute, with
// which no JavaScript runs; PrivateDevices and ProtectClock, which hide graphics cards; and ProtectSystem=strict and
// ProtectHome, with which agents have no caches. A unit of a user has nothing that would put it into a namespace.
//
// 2026-11-26: Restart=on-failure, so that a machine that was drained or sent down is not started again: chant exits with 0
// then, and never else. Rejected: Restart=always with a status of its own for drain in RestartPreventExitStatus. A clean
// end is a success for every other supervisor too (podman, docker, Kubernetes), and none of them would know that status.
// Whatever else ends the process, a fault, a lost remote or kill -9, starts it again. A restart of the machine does too,
// until the unit is disabled.
package unit
