package io.github.lockboot.benchmarks.interceptor;

import io.github.lockboot.annotation.DistributedLock;

/**
 * A service as users write it, whose method does nothing.
 */
class Orders {

	/**
	 * Do nothing under the lock {@code order:<orderId>}.
	 * @param orderId part of the name of the lock
	 * @return the id
	 */
	@DistributedLock(name = "order", key = "#orderId")
	public String pay(String orderId) {
		return orderId;
	}

}
