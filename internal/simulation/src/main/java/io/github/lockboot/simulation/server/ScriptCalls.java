package io.github.lockboot.simulation.server;

import java.util.Arrays;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The commands that one run of a script calls. Once it has called one that writes, it may
 * also call one that needs memory.
 */
final class ScriptCalls implements LuaMachine.Host {

	/** Of the prelude: whether the user may run a command. */
	private static final String MAY = ".MAY";

	private static final int SEVEN = 0x00070000;

	/** More than any shipped script; one that never ends calls more. */
	private static final int MOST = 20_000;

	private final SimulatedRedis server;

	private final Rights rights;

	private final boolean isSeven;

	private boolean hasWritten;

	private int count;

	ScriptCalls(SimulatedRedis server, Rights rights, boolean isSeven) {
		this.server = server;
		this.rights = rights;
		this.isSeven = isSeven;
	}

	@Override
	public @Nullable Object call(String command, String[] arguments) {
		if (++this.count > MOST) {
			throw new IllegalStateException("A script calls more than " + MOST + " commands");
		}
		String name = command.toUpperCase(Locale.ROOT);
		if (name.equals(MAY)) {
			return (Access.refusal(this.rights, arguments[0].toUpperCase(Locale.ROOT),
					Arrays.copyOfRange(arguments, 1, arguments.length)) == null) ? 1L : 0L;
		}
		DataCommand data = DataCommands.ALL.get(name);
		if (data != null && !data.accepts(arguments.length)) {
			throw new CommandException("ERR Wrong number of args calling Redis command from script");
		}
		String refusal = Access.refusal(this.rights, name, arguments);
		if (refusal != null) {
			throw new CommandException("NOPERM The user executing the script " + refusal);
		}
		this.server.count(name);
		boolean mayGrow = this.hasWritten;
		if (data != null && data.kind() == DataCommand.Kind.WRITE) {
			this.hasWritten = true;
		}
		Object reply = this.server.runPlain(name, arguments, mayGrow);
		if (data != null && data.kind() == DataCommand.Kind.GROW) {
			this.hasWritten = true;
		}
		return reply;
	}

	@Override
	public int version() {
		return this.isSeven ? SEVEN : 0;
	}

}
