package io.github.lockboot.simulation.server;

import java.util.Arrays;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What users may do with a command and its arguments.
 */
final class Access {

	private static final String COMMAND = "can't run this command or subcommand";

	private static final String KEY = "can't access at least one of the keys mentioned in the command arguments";

	private static final String CHANNEL = "can't publish to the channel mentioned in the command";

	private Access() {
	}

	/** Return what a user can't do, as scripts are told; {@code null} if it may. */
	static @Nullable String refusal(Rights rights, String name, String[] arguments) {
		if (rights == Rights.ALL) {
			return null;
		}
		if (!rights.mayRun(name)) {
			return COMMAND;
		}
		if (name.endsWith("PUBLISH") && !rights.mayReach(arguments[0])) {
			return CHANNEL;
		}
		if ((name.equals("SUBSCRIBE") || name.equals("SSUBSCRIBE"))
				&& !Arrays.stream(arguments).allMatch(rights::mayReach)) {
			return CHANNEL;
		}
		int first = 0;
		int count = 0;
		DataCommand data = DataCommands.ALL.get(name);
		if (data != null) {
			count = Math.min(data.keys(), arguments.length);
		}
		else if (name.startsWith("EVAL") && arguments.length > 2) {
			first = 2;
			count = Integer.parseInt(arguments[1]);
		}
		for (int i = first; i < first + count; i++) {
			if (!rights.mayUse(arguments[i])) {
				return KEY;
			}
		}
		return null;
	}

	/** Return the same as clients are told. */
	static String explained(String refusal, String name) {
		return switch (refusal) {
			case KEY -> "this user has no permissions to access one of the keys used as arguments";
			case CHANNEL -> "this user has no permissions to access one of the channels used as arguments";
			default -> "this user has no permissions to run the '" + name.toLowerCase(Locale.ROOT) + "' command";
		};
	}

	static Object acl(Rights rights, String[] arguments) {
		switch (arguments[0].toUpperCase(Locale.ROOT)) {
			case "WHOAMI":
				return "default";
			case "DRYRUN":
				String name = arguments[2].toUpperCase(Locale.ROOT);
				String refusal = refusal(rights, name, Arrays.copyOfRange(arguments, 3, arguments.length));
				// not an error
				return (refusal == null) ? RedisStatus.OK
						: "User " + arguments[1] + " " + explained(refusal, name).substring("this user ".length());
			default:
				throw new UnsupportedOperationException("Not simulated: ACL " + arguments[0]);
		}
	}

}
