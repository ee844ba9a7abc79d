import io.github.lockboot.LockRequest
import io.github.lockboot.ReactiveLockOperations
import io.github.lockboot.kotlin.heldLock
import io.github.lockboot.kotlin.withLock
import io.github.lockboot.kotlin.withLockOrNull
import org.springframework.stereotype.Service
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

@Service
class Deliveries(private val locks: ReactiveLockOperations, private val carrier: Carrier) {

	suspend fun send(order: String): String =
		locks.withLock("order:$order", waitTime = 10.seconds) {
			carrier.send(order, locks.heldLock("order:$order").fencingToken())
		}

	suspend fun sendUnlessBusy(order: String): String? =
		locks.withLockOrNull("order:$order", waitTime = Duration.ZERO) { carrier.send(order) }

	suspend fun sendTogether(first: String, second: String): String =
		locks.withLock(LockRequest.allOf("order:$first", "order:$second")) { carrier.send("$first, $second") }

	interface Carrier {

		suspend fun send(order: String, fencingToken: Long = 0): String

	}

}
