package io.github.lockboot.fencing;

import java.sql.Connection;

import io.github.lockboot.Internal;

/**
 * Locks in a database that are checked when a transaction on this database commits, which
 * costs less than the fence.
 */
@Internal
public interface CommitFencing {

	/** Return whether the commit of a transaction on a connection checks the locks. */
	boolean mayFence(Connection transaction);

}
