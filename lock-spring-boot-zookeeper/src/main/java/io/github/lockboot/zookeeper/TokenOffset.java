package io.github.lockboot.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The fencing tokens of nodes: the transaction that created a node plus an offset,
 * followed by 16 bits for further holders. The offset is the data of one node of the
 * ensemble. The offset is zero until a resource has refused a token because it has seen a
 * higher one, for example after the data of the ensemble were lost, or if the locks were
 * in another store before.
 * <p>
 * The node is watched. A server sends the event of a watch before the reply to any later
 * request of that session, so no holder overlooks an offset that was set before its turn.
 * Only the thread of the replies changes this object.
 */
final class TokenOffset implements Session.Watching {

	private static final Log logger = LogFactory.getLog(TokenOffset.class);

	/** The number of bits for the tokens that follow the first token of a node. */
	private static final int BITS = 16;

	private static final long LAST = (1 << BITS) - 1;

	private final String path;

	/** The session in which the node was read or is being read. */
	private volatile @Nullable Session session;

	/** Pending while a request is under way. */
	private volatile CompletableFuture<Offset> latest = new CompletableFuture<>();

	/** No token may be lower, because the ensemble has lost those before. */
	private volatile long floor;

	/** Whether this JVM has no right to change the offset. */
	private volatile boolean fixed;

	TokenOffset(String path) {
		this.path = path;
	}

	/**
	 * Read the offset in a session that has begun, or whose connection is restored. The
	 * first transaction of a session is later than all that this JVM has seen, unless the
	 * ensemble was restored from a copy: then tokens go on above those of before.
	 */
	void read(Session session) {
		Session former = this.session;
		if (former != null && former != session && former.lastTransaction() > session.lastTransaction()) {
			this.floor = Math.max(this.floor, last(former.lastTransaction()));
			logger.warn("ZooKeeper is at transaction 0x" + Long.toHexString(session.lastTransaction())
					+ ", but was at 0x" + Long.toHexString(former.lastTransaction())
					+ ": its data were deleted or restored from a copy. All locks of before are lost");
		}
		this.session = session;
		CompletableFuture<Offset> reading = this.latest.isDone() ? new CompletableFuture<>() : this.latest;
		this.latest = reading;
		session.watch(this.path, this);
		session.client().getData(this.path, session, (code, asked, ctx, data, stat) -> {
			boolean hidden = code == Code.NOAUTH.intValue();
			session.answer(reading, this.path, hidden ? Code.NONODE.intValue() : code, new Offset(0, -1),
					() -> new Offset(parse(data), stat.getVersion()));
		}, null);
	}

	@Override
	public void changed(String path, boolean deleted) {
		Session session = this.session;
		if (session != null) {
			read(session);
		}
	}

	/** Return the first token of the owner whose node a transaction has created. */
	long first(long id) {
		Offset known = known();
		long shifted = id + ((known != null) ? known.value() : 0);
		if (shifted >= Long.MAX_VALUE >> BITS) {
			throw new ArithmeticException("Transaction 0x" + Long.toHexString(id)
					+ " of ZooKeeper leaves no room for fencing tokens: move the locks to a new ensemble");
		}
		return shifted << BITS;
	}

	/** Return the last token of the owner whose node a transaction has created. */
	long last(long id) {
		return (id > 0) ? last(first(id), false) : 0;
	}

	/** Return the last token of an owner. */
	static long last(long first, boolean shared) {
		return shared ? first : first | LAST;
	}

	/**
	 * Return whether the tokens of a transaction, with the known offset, are above a
	 * token that was seen.
	 */
	boolean isAbove(long id, long seenToken) {
		return this.fixed || (known() != null && first(id) > Math.max(seenToken, this.floor));
	}

	/**
	 * Raise the offset so that the tokens of a transaction, and of all later
	 * transactions, are above a token that was seen; or wait until the offset is known.
	 * Another JVM may have raised the offset.
	 */
	CompletableFuture<Void> raise(Session session, long id, long seenToken) {
		Offset known = known();
		long highest = Math.max(seenToken, this.floor);
		if (this.latest.isCompletedExceptionally()) {
			read(session);
		}
		if (known == null || first(id) > highest) {
			return this.latest.thenAccept((read) -> {
			});
		}
		CompletableFuture<Stat> raised = new CompletableFuture<>();
		byte[] data = String.valueOf((highest >> BITS) - id + 1).getBytes(StandardCharsets.US_ASCII);
		session.client()
			.setData(this.path, data, known.version(),
					(code, asked, ctx, stat) -> session.answer(raised, this.path, code, () -> stat), null);
		return raised.handle((stat, failure) -> {
			if (failure != null && Session.is(failure, Code.NOAUTH)) {
				this.fixed = true;
				logger.warn("A resource knows a fencing token that is higher than those of ZooKeeper, and this user may"
						+ " not raise them in " + this.path
						+ ": each instance is refused once for each lock. Grant the right to write there");
				return CompletableFuture.<Void>completedFuture(null);
			}
			read(session);
			return (failure == null || Session.is(failure, Code.BADVERSION))
					? this.latest.<Void>thenApply((read) -> null) : CompletableFuture.<Void>failedFuture(failure);
		}).thenCompose((done) -> done);
	}

	/** Return the offset; {@code null} while it is being read, or if that has failed. */
	private @Nullable Offset known() {
		CompletableFuture<Offset> latest = this.latest;
		return (latest.isDone() && !latest.isCompletedExceptionally()) ? latest.join() : null;
	}

	private static long parse(byte @Nullable [] data) {
		String text = (data != null) ? new String(data, StandardCharsets.US_ASCII) : "";
		return text.matches("\\d{1,15}") ? Long.parseLong(text) : 0;
	}

	/** The offset, and the version of its node. */
	private record Offset(long value, int version) {

	}

}
