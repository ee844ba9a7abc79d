/**
 * A simulated Redis that runs the shipped scripts in real Lua: <pre>
 * LuaMachine lua = new LuaMachine(); // compiles each script once; for all servers of a thread
 * SimulatedRedis server = new SimulatedRedis(lua, Version.SEVEN, clock::micros,
 * 		(connection, kind, channel, message) -&gt; network.deliver(...));
 * int connection = server.connect(Rights.ALL);
 * server.execute(connection, "SCRIPT", "LOAD", script.text());
 * server.execute(connection, "EVALSHA", script.sha1(), "6", keys..., arguments...);
 * Snapshot snapshot = server.snapshot(); // for restore(), on this server or a replica
 * </pre> A text is a Java string with one character for each byte: convert with
 * ISO-8859-1. A failure of the simulation, such as a command that it lacks, is an
 * exception; an error of Redis is a reply.
 */
@NullMarked
package io.github.lockboot.simulation.server;

import org.jspecify.annotations.NullMarked;
