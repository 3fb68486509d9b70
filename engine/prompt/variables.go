package prompt

// Variable is a name that prompts can fill in, with what it stands for.
type Variable struct{ Name, Text string }

// Variables lists every one. What is not known where a prompt is used is empty there.
func Variables() []Variable {
	return []Variable{
		{"project.name", "The name of the project."},
		{"spec", "Id, text and target files of the spec in one."},
		{"spec.id", "The id of the spec."},
		{"spec.title", "Its title."},
		{"spec.type", "Its type, such as code or research."},
		{"spec.model", "The model that works at it, empty where the agent chooses."},
		{"spec.description", "Its text without the discussion of its approval."},
		{"spec.quoted", "The same in a fence that nothing in it can close."},
		{"spec.path", "The file of the spec that the agent reads and ticks."},
		{"spec.target_files", "Its target files, one a line."},
		{"spec.criteria", "Its acceptance criteria, with who says whether each holds."},
		{"spec.checks", "The commands that its criteria and `verify` run when the agent is done, in order."},
		{"spec.context", "The files under its key `context`, each quoted behind its path."},
		{"judge.criteria", "The criteria that are to be judged, with the ids for the answer."},
		{"conflict.files", "The files in which branch and target conflict, one a line."},
		{"target", "The branch that the work lands on."},
		{"worktree.path", "The folder that the agent works in."},
		{"worktree.branch", "The branch of the run."},
		{"worktree.isolated", "true in a worktree of its own, false in a person's."},
		{"attempt", "The number of the attempt, from 1."},
		{"attempt.reason", "Why the last attempt failed, empty for the first."},
		{"attempt.note", "The same as an entry of a list, with what the commands that failed have printed."},
	}
}
